import { calls, source, startForEachTest, tenant } from '../each-test.ts';
import { type GenericFields, genericCall } from '../sample-calls.ts';
import { genericMessage } from '../signed-messages.ts';

startForEachTest();

const BY = 'mia@salon.example';
/** Of a day that is near: older calls are listed no more. */
const at = (clock: string) => `${Temporal.Now.plainDateISO('UTC').subtract({ days: 1 })}T${clock}Z`;
const MISSED = { started_at: at('10:00:00'), ended_at: at('10:00:05') };
const missedAt = (minute: number) => ({
  started_at: at(`10:${minute}:00`),
  ended_at: at(`10:${minute}:05`),
});
const talkAt = (minute: number) => ({ ...missedAt(minute), ended_at: at(`10:${minute}:50`) });

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
type CallBack = { id: number; calls: number; talked: { call_id: number } | null };
/** Both lists: of each number the latest call, and how many there are. */
const callBacks = async (of = tenant) => {
  const path = `/internal/tenants/${of}/call-backs?days=90&open=50&done=50`;
  const { open, open_total, done } = (await calls.admin('GET', path)).body.data;
  expect(open_total).toBe(open.length);
  const short = (list: CallBack[]) =>
    list.map((entry) => [entry.id, entry.calls, entry.talked?.call_id ?? null]);
  return { open: short(open), done: short(done) };
};
const mark = (id: number, by = BY, of = tenant) =>
  calls.admin('PUT', `${pathOf(id, of)}/called-back`, { by });

it('are missed inbound calls, open until somebody is named who called back; and again once that is undone', async () => {
  const missed = await add(MISSED);
  await add({ ...talkAt(20), from_number: '+4930901999' });
  await add({ ...MISSED, direction: 'outbound' });
  expect(await callBacks()).toEqual({ open: [[missed.id, 1, null]], done: [] });
  expect(missed).toMatchObject({ source_id: source.id, called_back: null });

  const marked = await mark(missed.id);
  expect([marked.status, marked.body.data]).toEqual([
    200,
    { ...missed, called_back: { at: expect.any(String), by: BY } },
  ]);
  // Who says so second changes nothing.
  expect((await mark(missed.id, 'ben@salon.example')).body.data).toEqual(marked.body.data);
  expect(await callBacks()).toEqual({ open: [], done: [[missed.id, 1, null]] });
  expect((await calls.admin('GET', pathOf(missed.id))).body.data).toMatchObject(marked.body.data);

  const undone = await calls.admin('DELETE', `${pathOf(missed.id)}/called-back`);
  expect([undone.status, undone.body.data.called_back]).toEqual([200, null]);
  expect(await callBacks()).toEqual({ open: [[missed.id, 1, null]], done: [] });
});

it('are one for a number: a mark closes all of its calls up to that one, and is undone for all of them', async () => {
  const first = await add(missedAt(10));
  const second = await add(missedAt(11));
  const other = await add({ ...missedAt(12), from_number: '+4930901999' });
  const third = await add(missedAt(13));
  expect((await callBacks()).open).toEqual([
    [third.id, 3, null],
    [other.id, 1, null],
  ]);
  await mark(second.id);
  const rest = [
    [third.id, 1, null],
    [other.id, 1, null],
  ];
  expect(await callBacks()).toEqual({ open: rest, done: [[second.id, 2, null]] });
  await mark(third.id);
  expect((await calls.admin('DELETE', `${pathOf(first.id)}/called-back`)).status).toBe(200);
  expect(await callBacks()).toEqual({
    open: [
      [other.id, 1, null],
      [second.id, 2, null],
    ],
    done: [[third.id, 1, null]],
  });
});

it('a hidden number is somebody else each time', async () => {
  const hidden = { from_number: undefined };
  const one = await add({ ...missedAt(10), ...hidden });
  const two = await add({ ...missedAt(11), ...hidden });
  await mark(two.id);
  expect(await callBacks()).toEqual({ open: [[one.id, 1, null]], done: [[two.id, 1, null]] });
});

it.each([
  ['an answered call', {}],
  ['an outbound call', { direction: 'outbound', from_number: '+4930999', to_number: '+4930901820' }],
] as const)('%s closes those before it, and none after it; a mailbox closes none', async (_what, fields) => {
  const from_number = '+4930901820';
  const before = await add({ ...missedAt(10), from_number });
  const mailbox = await add({ ...talkAt(11), from_number, ...fields, outcome: 'voicemail' });
  expect(await callBacks()).toEqual({ open: [[before.id, 1, null]], done: [] });
  const talk = await add({ ...talkAt(12), from_number, ...fields });
  expect(await callBacks()).toEqual({ open: [], done: [[before.id, 1, talk.id]] });
  const after = await add({ ...missedAt(13), from_number });
  expect(await callBacks()).toEqual({ open: [[after.id, 1, null]], done: [[before.id, 1, talk.id]] });
  expect((await callBacks(calls.newTenant())).open).toEqual([]);
  expect(mailbox.called_back).toBeNull();
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
  expect((await callBacks()).open).toEqual([[id, 1, null]]);
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
