import { systemSql } from '@frontdesk/database';
import { eventually } from '../../../support/index.ts';
import { startCalls } from '../calls-world.ts';
import { calls, source, startForEachTest, tenant } from '../each-test.ts';
import { genericCall, newCallId, retellEnded } from '../sample-calls.ts';
import { genericMessage, retellMessage, vapiMessage } from '../signed-messages.ts';

const age = systemSql<never, { tenantId: number; days: number }>(
  'test_age',
  `update call_messages set received_at = now() - $days * interval '1 day' where tenant_id = $tenantId`,
);
const ageDeleted = systemSql<never, { tenantId: number; days: number }>(
  'test_age_deleted',
  `update call_sources set deleted_at = now() - $days * interval '1 day' where tenant_id = $tenantId`,
);
const storedBody = systemSql<{ body: Buffer }, { id: number }>(
  'test_stored_body',
  'select body from call_messages where id = $id',
);
const rewrite = systemSql<never, { id: number; body: Buffer }>(
  'test_rewrite',
  'update call_messages set body = $body where id = $id',
);

describe('messages as they came in', () => {
  startForEachTest();

  const path = (rest = '') => `/internal/tenants/${tenant}/call-messages${rest}`;
  const send = async (body: object | string, to = source) => {
    const { data } = (await calls.ingest(to, genericMessage(body, to))).body;
    await calls.settled(tenant);
    return data.id as number;
  };
  const show = async (id: number) => (await calls.admin('GET', path(`/${id}`))).body.data;

  it.each([
    ['no JSON', 'hello, this is no JSON'],
    ['cut off by its sender', JSON.stringify(genericCall()).slice(0, -10)],
    ['of another shape', '{"event":"something"}'],
    ['a list', '[1,2]'],
    ['empty', ''],
    ['without its end', JSON.stringify(genericCall({ ended_at: undefined }))],
  ])('a message that can’t be read is kept and shown: %s', async (_what, body) => {
    const id = await send(body);
    const message = await show(id);
    expect(message).toEqual({
      id,
      source_id: source.id,
      status: 'unreadable',
      call_id: null,
      body,
      content_type: 'application/json',
      bytes: Buffer.byteLength(body),
      is_test: false,
      reason: expect.stringMatching(/./),
      received_at: expect.any(String),
    });
    expect((await calls.list(tenant)).meta.total).toBe(0);
    expect(await calls.events(tenant)).toEqual([]);
  });

  it('202: is read again on request, and then becomes its call', async () => {
    const id = await send('not yet understood');
    const again = () => calls.admin('POST', path(`/${id}/replay`));
    expect((await again()).status).toBe(202);
    await calls.settled(tenant);
    expect((await show(id)).status).toBe('unreadable');

    // As a later release would understand what this one doesn't.
    await calls.database.system.run(rewrite, { id, body: Buffer.from(JSON.stringify(genericCall())) });
    const answer = await again();
    expect(answer.body.data).toMatchObject({ id, status: 'received', reason: null });
    await calls.settled(tenant);
    expect(await show(id)).toMatchObject({ status: 'applied', call_id: expect.any(Number) });
    expect(await calls.eventTypes(tenant)).toEqual(['call.ended']);
  });

  it('an applied message that is read again changes nothing', async () => {
    const id = await send(genericCall());
    const before = await calls.events(tenant);
    for (const nth of [1, 2]) {
      const answer = await calls.admin('POST', path(`/${id}/replay`));
      expect([nth, answer.status]).toEqual([nth, 202]);
      await calls.settled(tenant);
    }
    expect(await calls.events(tenant)).toEqual(before);
    expect((await calls.list(tenant)).meta.total).toBe(1);
  });

  it('a message about no ended call is kept as ignored, with the reason', async () => {
    const vapi = await calls.newSource(tenant, 'vapi');
    await calls.ingest(vapi, vapiMessage({ type: 'status-update', status: 'in-progress' }, vapi));
    expect(await calls.settled(tenant)).toEqual([
      expect.objectContaining({ status: 'ignored', reason: 'Not about a call that ended: status-update.' }),
    ]);
  });

  it('keeps the bytes, and lists without them: newest first, by source and by status', async () => {
    const other = await calls.newSource(tenant, 'generic', { name: 'Other' });
    const first = await send(genericCall());
    const body = '{"text": "ünreadable ✂"}';
    const second = await send(body, other);
    const ids = async (query: string) =>
      (await calls.messages(tenant, query)).map(({ id }: { id: number }) => id);
    expect(await ids('')).toEqual([second, first]);
    expect(await ids('?status=applied')).toEqual([first]);
    expect(await ids(`?source_id=${other.id}`)).toEqual([second]);
    expect(await ids(`?source_id=${other.id}&status=applied`)).toEqual([]);
    expect((await calls.messages(tenant))[0]).not.toHaveProperty('body');
    const { body: stored } = await calls.database.system.one(storedBody, { id: second });
    expect(stored.toString()).toBe(body);
    expect((await calls.admin('GET', path('?status=lost'))).status).toBe(422);
    expect((await calls.admin('GET', path('?per_page=1'))).body.meta).toMatchObject({ total: 2 });
  });

  it('404: a message that is none', async () => {
    for (const [method, rest] of [
      ['GET', '/999999'],
      ['POST', '/999999/replay'],
      ['DELETE', '/999999'],
      ['GET', '/x'],
    ] as const) {
      const answer = await calls.admin(method, path(rest));
      expect([answer.status, answer.body.message]).toEqual([404, 'Call message not found.']);
    }
  });

  it('goes when its time is up and it was read; the call, and what later messages add to it, stay', async () => {
    const retell = await calls.newSource(tenant, 'retell');
    const id = newCallId();
    await calls.ingest(retell, retellMessage(retellEnded(id), retell));
    await calls.ingest(retell, retellMessage({ event: 'call_started' }, retell));
    const unreadable = await send('unreadable');
    await calls.database.system.run(age, { tenantId: tenant, days: 29 });
    const young = await calls.startAnother(['retention']);
    await young.stop();
    expect(await calls.messages(tenant)).toHaveLength(3);
    await calls.database.system.run(age, { tenantId: tenant, days: 31 });
    const old = await calls.startAnother(['retention']);
    // What nobody understood yet stays longer, for a release that does.
    await eventually(async () =>
      expect(await calls.messages(tenant)).toEqual([expect.objectContaining({ id: unreadable })]),
    );
    await old.stop();
    for (const [days, left] of [
      [89, 1],
      [91, 0],
    ] as const) {
      await calls.database.system.run(age, { tenantId: tenant, days });
      const purging = await calls.startAnother(['retention']);
      await purging.stop();
      expect([days, (await calls.messages(tenant)).length]).toEqual([days, left]);
    }

    const recording = { recording_url: 'https://example.com/1.wav', transcript_object: [] };
    await calls.ingest(retell, retellMessage(retellEnded(id, recording), retell));
    await calls.settled(tenant);
    const [call] = (await calls.list(tenant)).data;
    expect(await calls.callOf(tenant, call.id)).toMatchObject({
      recording_url: 'https://example.com/1.wav',
      transcript: [{ role: 'agent' }, { role: 'customer' }],
    });
  });
});

describe('an unreadable message', () => {
  it('goes when an operator deletes it, or its source has been deleted for long', async () => {
    const calls = await startCalls({ workers: ['message reader'] });
    const tenant = calls.newTenant();
    const source = await calls.newSource(tenant);
    for (const body of ['one', 'two']) await calls.ingest(source, genericMessage(body, source));
    const [last] = await calls.settled(tenant);
    const path = `/internal/tenants/${tenant}/call-messages/${last.id}`;
    const answer = await calls.admin('DELETE', path);
    expect([answer.status, answer.body.data]).toEqual([200, { id: last.id, deleted: true }]);
    expect((await calls.admin('DELETE', path)).status).toBe(404);
    expect(await calls.messages(tenant)).toHaveLength(1);

    await calls.admin('DELETE', `/internal/tenants/${tenant}/call-sources/${source.id}`);
    for (const [days, left] of [
      [29, 1],
      [31, 0],
    ] as const) {
      await calls.database.system.run(ageDeleted, { tenantId: tenant, days });
      const purging = await calls.startAnother(['retention']);
      await purging.stop();
      expect([days, (await calls.messages(tenant)).length]).toEqual([days, left]);
    }
    await calls.stop();
  });
});

describe('a message that can’t be read just now', () => {
  it('stops no other, shows why, and is read once it can be', async () => {
    const calls = await startCalls({ workers: [] });
    const [unknown, tenant] = [calls.newTenant(), calls.newTenant()];
    const sources = [await calls.newSource(unknown), await calls.newSource(tenant)];
    for (const source of sources) await calls.ingest(source, genericMessage(genericCall(), source));
    await calls.database.system.run(systemSql('test_forget_tenants', 'delete from tenants'));
    calls.neighbours.forgetTenant(unknown);

    const reader = await calls.startAnother(['message reader']);
    await calls.settled(tenant);
    expect((await calls.list(tenant)).meta.total).toBe(1);
    await eventually(async () =>
      expect(await calls.messages(unknown)).toEqual([
        expect.objectContaining({
          status: 'received',
          reason: 'Will be tried again: AppError not_found.',
        }),
      ]),
    );
    calls.newTenant({ id: unknown });
    await calls.settled(unknown);
    expect(await calls.messages(unknown)).toEqual([
      expect.objectContaining({ status: 'applied', reason: null }),
    ]);
    await reader.stop();
    await calls.stop();
  });
});
