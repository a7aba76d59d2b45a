import { systemSql } from '@frontdesk/database';
import { type CallsWorld, type Source, startCalls } from '../calls-world.ts';
import {
  genericCall,
  newCallId,
  newCallSid,
  retellAnalysed,
  twilioStatus,
  vapiReport,
} from '../sample-calls.ts';
import {
  genericMessage,
  retellMessage,
  type SignedMessage,
  twilioMessage,
  vapiMessage,
} from '../signed-messages.ts';

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

describe('POST /ingest/calls/{source}', () => {
  const countMessages = systemSql<{ count: number }, { tenantId: number }>(
    'test_count_messages',
    'select count(*) as count from call_messages where tenant_id = $tenantId',
  );

  const HOUR_MS = 3_600_000;

  const PROVIDERS = [
    ['generic', (source: Source, at?: Date) => genericMessage(genericCall(), signing(source, at))],
    ['vapi', (source: Source) => vapiMessage(vapiReport(newCallId()), signing(source))],
    [
      'retell',
      (source: Source, at?: Date) => retellMessage(retellAnalysed(newCallId()), signing(source, at)),
    ],
    ['twilio', (source: Source) => twilioMessage(twilioStatus(newCallSid()), signing(source))],
  ] as const;

  const signing = (source: Source, at?: Date) => ({ ...source, ...(at && { at }) });
  const tampered = ({ body, headers }: SignedMessage): SignedMessage => ({
    body: String(body).replace('493023125001', '493023125002'),
    headers,
  });
  const truncated = ({ body, headers }: SignedMessage): SignedMessage => ({
    body: String(body).slice(0, -20),
    headers,
  });

  const onlyType = (headers: Record<string, string>): Record<string, string> => ({
    'content-type': headers['content-type'] ?? '',
  });

  const stored = async () => (await calls.database.system.one(countMessages, { tenantId: tenant })).count;
  const unauthorized = { success: false, code: 'unauthorized' };

  describe.each(PROVIDERS)('of %s', (provider, messageFor) => {
    it('202: a valid message is stored, and becomes a call', async () => {
      const source = await calls.newSource(tenant, provider);
      const answer = await calls.ingest(source, messageFor(source));
      expect(answer).toEqual({
        status: 202,
        body: { success: true, data: { id: expect.any(Number), status: 'received' } },
      });
      const [message] = await calls.settled(tenant);
      expect(message).toMatchObject({ id: answer.body.data.id, status: 'applied', source_id: source.id });
      const { data } = await calls.list(tenant);
      expect(data).toEqual([
        expect.objectContaining({
          id: message.call_id,
          direction: 'inbound',
          from_number: '+493023125001',
          started_at: '2026-03-02T10:00:00.000Z',
          ended_at: '2026-03-02T10:02:00.000Z',
          duration: 120,
          missed: false,
          source: `Phone of ${provider}`,
        }),
      ]);
    });

    it('202 once more for the same message, which changes nothing', async () => {
      const source = await calls.newSource(tenant, provider);
      const message = messageFor(source);
      const first = await calls.ingest(source, message);
      await calls.settled(tenant);
      const events = await calls.events(tenant);
      const again = await Promise.all([1, 2, 3].map(() => calls.ingest(source, message)));
      for (const answer of again) expect(answer).toEqual(first);
      await calls.settled(tenant);
      expect(await stored()).toBe(1);
      expect(await calls.events(tenant)).toEqual(events);
    });

    it.each([
      ['tampered with', tampered],
      ['cut off', truncated],
      ['without a signature', ({ body, headers }: SignedMessage) => ({ body, headers: onlyType(headers) })],
    ])('401: a message %s leaves nothing', async (_how, spoil) => {
      const source = await calls.newSource(tenant, provider);
      const message = spoil(messageFor(source));
      // A bearer token vouches for the sender, not for the message.
      if (provider === 'vapi' && 'authorization' in message.headers) message.headers.authorization += 'x';
      const answer = await calls.ingest(source, message);
      expect(answer).toMatchObject({ status: 401, body: unauthorized });
      expect(await stored()).toBe(0);
    });

    it('401 at another tenant’s source, 404 at one that is disabled or deleted', async () => {
      const other = calls.newTenant();
      const source = await calls.newSource(tenant, provider);
      const theirs = await calls.newSource(other, provider, {
        secret: 'whsec_YW5vdGhlciBzZWNyZXQgdGhhbiB0aGVpcnM=',
      });
      const message = messageFor(source);
      expect(await calls.ingest(theirs, message)).toMatchObject({ status: 401, body: unauthorized });
      const single = `/internal/tenants/${tenant}/call-sources/${source.id}`;
      await calls.admin('PATCH', single, { is_active: false });
      expect(await calls.ingest(source, message)).toMatchObject({ status: 404, body: notFound });
      await calls.admin('PATCH', single, { is_active: true });
      expect((await calls.ingest(source, message)).status).toBe(202);
      await calls.admin('DELETE', single);
      expect(await calls.ingest(source, messageFor(source))).toMatchObject({ status: 404, body: notFound });
      expect(await stored()).toBe(1);
      expect(await calls.messages(other)).toEqual([]);
    });
  });

  it.each(PROVIDERS.filter(([name]) => name === 'generic' || name === 'retell'))(
    '401: what %s signed an hour ago, or will sign in one',
    async (provider, messageFor) => {
      const source = await calls.newSource(tenant, provider);
      for (const hours of [-1, 1]) {
        const at = new Date(Date.now() + hours * HOUR_MS);
        expect((await calls.ingest(source, messageFor(source, at))).status).toBe(401);
      }
      expect((await calls.ingest(source, messageFor(source, new Date()))).status).toBe(202);
      expect(await stored()).toBe(1);
    },
  );
});

describe('the address of POST /ingest/calls/{source}', () => {
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
