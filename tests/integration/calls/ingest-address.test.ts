import { systemSql } from '@frontdesk/database';
import { type CallsWorld, startCalls } from './calls-world.ts';
import { genericCall } from './sample-calls.ts';
import { genericMessage } from './signed-messages.ts';

describe('POST /ingest/calls/{source}', () => {
  let calls: CallsWorld;
  let tenant: number;
  beforeAll(async () => {
    calls = await startCalls();
  });
  beforeEach(() => {
    tenant = calls.newTenant();
  });
  afterAll(() => calls.stop());

  const notFound = { success: false, code: 'not_found', message: 'Call source not found.' };

  it('404: an address that leads nowhere', async () => {
    const source = await calls.newSource(tenant);
    const message = genericMessage(genericCall(), source);
    for (const path of ['/ingest/calls/nothing', `${source.path}x`, `${source.path.slice(0, -1)}`]) {
      expect(await calls.ingest({ path }, message)).toMatchObject({ status: 404, body: notFound });
    }
  });

  it('405: another method', async () => {
    const source = await calls.newSource(tenant);
    const answer = await calls.service.api.inject({ method: 'GET', url: source.path });
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'POST']);
  });

  it('413: a message above 5 MiB; one just below is taken', async () => {
    const source = await calls.newSource(tenant);
    const ofBytes = (length: number) => {
      const call = genericCall({ padding: '' });
      const { length: bare } = JSON.stringify(call);
      return genericMessage({ ...call, padding: 'x'.repeat(length - bare) }, source);
    };
    const limit = 5 * 1024 * 1024;
    expect((await calls.ingest(source, ofBytes(limit + 1))).body.code).toBe('payload_too_large');
    expect(await calls.messages(tenant)).toEqual([]);
    expect((await calls.ingest(source, ofBytes(limit))).status).toBe(202);
    expect(await calls.settled(tenant)).toEqual([
      expect.objectContaining({ status: 'applied', bytes: limit }),
    ]);
  });

  it('takes whatever content type, and none', async () => {
    const source = await calls.newSource(tenant);
    for (const type of ['text/plain', 'application/octet-stream', '']) {
      const { body, headers } = genericMessage(genericCall(), source);
      const { 'content-type': _, ...signature } = headers;
      const answer = await calls.ingest(source, {
        body: Buffer.from(body),
        headers: { ...signature, ...(type && { 'content-type': type }) },
      });
      expect([type, answer.status]).toEqual([type, 202]);
    }
    await calls.settled(tenant);
    expect((await calls.list(tenant)).meta.total).toBe(3);
  });

  it('403: a suspended tenant', async () => {
    const suspended = calls.newTenant({ status: 'suspended' });
    const source = await calls.newSource(suspended);
    const answer = await calls.ingest(source, genericMessage(genericCall(), source));
    expect(answer).toMatchObject({ status: 403, body: { code: 'tenant_suspended' } });
    expect(await calls.messages(suspended)).toEqual([]);
  });

  it('takes a message in where the tenant is not in the projection yet', async () => {
    const source = await calls.newSource(tenant);
    await calls.database.system.run(systemSql('test_forget_tenants', 'delete from tenants'));
    expect((await calls.ingest(source, genericMessage(genericCall(), source))).status).toBe(202);
    await calls.settled(tenant);
    expect((await calls.list(tenant)).meta.total).toBe(1);
  });
});
