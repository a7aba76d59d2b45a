import { type CallsWorld, type Source, startCalls } from './calls-world.ts';
import { type GenericFields, genericCall } from './sample-calls.ts';
import { genericMessage } from './signed-messages.ts';

let calls: CallsWorld;
let tenant: number;
let source: Source;
beforeAll(async () => {
  calls = await startCalls();
});
beforeEach(async () => {
  tenant = calls.newTenant();
  source = await calls.newSource(tenant);
});
afterAll(() => calls.stop());

const BY = 'mia@salon.example';
const MISSED = { ended_at: '2026-03-02T10:00:05Z' };

/** The entry of a call that is sent now. */
const add = async (fields: GenericFields = {}, through = source) => {
  const before = new Set(await idsOf());
  await calls.ingest(through, genericMessage(genericCall(fields), through));
  await calls.settled(tenant);
  return (await list()).data.find(({ id }: { id: number }) => !before.has(id));
};

const pathOf = (id: number | string, of = tenant) => `/internal/tenants/${of}/calls/${id}`;
const list = async (query: Record<string, string> = {}) =>
  (await calls.admin('GET', `/internal/tenants/${tenant}/calls?${new URLSearchParams(query)}`)).body;
const idsOf = async (query: Record<string, string> = {}) => {
  const { data, meta } = await list(query);
  expect(meta.total).toBe(data.length);
  return data.map(({ id }: { id: number }) => id);
};
const mark = (id: number, by = BY, of = tenant) =>
  calls.admin('PUT', `${pathOf(id, of)}/called-back`, { by });

it('are missed inbound calls, open until somebody is named who called back; and again once that is undone', async () => {
  const missed = await add(MISSED);
  await add();
  await add({ ...MISSED, direction: 'outbound' });
  expect(await idsOf({ call_back: 'open' })).toEqual([missed.id]);
  expect(missed).toMatchObject({ source_id: source.id, called_back: null });

  const marked = await mark(missed.id);
  expect([marked.status, marked.body.data]).toEqual([
    200,
    { ...missed, called_back: { at: expect.any(String), by: BY } },
  ]);
  // Who says so second changes nothing.
  expect((await mark(missed.id, 'ben@salon.example')).body.data).toEqual(marked.body.data);
  expect([await idsOf({ call_back: 'open' }), await idsOf({ call_back: 'done' })]).toEqual([[], [missed.id]]);
  expect((await calls.admin('GET', pathOf(missed.id))).body.data).toMatchObject(marked.body.data);

  const undone = await calls.admin('DELETE', `${pathOf(missed.id)}/called-back`);
  expect([undone.status, undone.body.data.called_back]).toEqual([200, null]);
  expect([await idsOf({ call_back: 'open' }), await idsOf({ call_back: 'done' })]).toEqual([[missed.id], []]);
});

it('integrators learn nothing of a mark: the record, its ETag and the events stay as they are', async () => {
  const { id } = await add(MISSED);
  const seen = async () => {
    const { body, headers } = await calls.api(tenant, 'GET', `/api/v1/calls/${id}`);
    return [body, headers.etag, (await calls.list(tenant)).data, await calls.eventTypes(tenant)];
  };
  const before = await seen();
  await mark(id);
  expect(await seen()).toEqual(before);
  await calls.admin('DELETE', `${pathOf(id)}/called-back`);
  expect(await seen()).toEqual(before);
});

it('a mark outlives what is added to the call later', async () => {
  const fields = { provider_call_id: 'marked', ...MISSED };
  const { id } = await add(fields);
  await mark(id);
  await calls.ingest(source, genericMessage(genericCall({ ...fields, summary: 'Rang off.' }), source));
  await calls.settled(tenant);
  expect((await calls.admin('GET', pathOf(id))).body.data).toMatchObject({
    summary: 'Rang off.',
    called_back: { by: BY },
  });
});

it('404 and 422: another business’s call, none at all, and one that was answered', async () => {
  const { id } = await add(MISSED);
  const answered = await add();
  const other = calls.newTenant();
  for (const [of, call] of [
    [other, id],
    [tenant, 2 ** 40],
  ] as const) {
    expect((await mark(call, BY, of)).status).toBe(404);
    expect((await calls.admin('DELETE', `${pathOf(call, of)}/called-back`)).status).toBe(404);
  }
  expect(await idsOf({ call_back: 'open' })).toEqual([id]);
  const refused = await mark(answered.id);
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['id']]);
});

it('the list of admins filters by source, a deleted one too', async () => {
  const second = await calls.newSource(tenant, 'generic', { name: 'Second line' });
  const { id } = await add(MISSED);
  const other = await add({}, second);
  await calls.admin('DELETE', `/internal/tenants/${tenant}/call-sources/${second.id}`);
  expect(await idsOf({ source_id: String(source.id) })).toEqual([id]);
  expect(await idsOf({ source_id: String(second.id), missed: 'false' })).toEqual([other.id]);
  expect(await idsOf({ source_id: String(second.id), missed: 'true' })).toEqual([]);
});
