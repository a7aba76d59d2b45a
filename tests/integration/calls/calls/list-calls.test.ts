import { callListEntry } from '@frontdesk/contracts';
import { calls, source, startForEachTest, tenant } from '../each-test.ts';
import { genericCall } from '../sample-calls.ts';
import { genericMessage } from '../signed-messages.ts';

describe('GET /api/v1/calls', () => {
  startForEachTest();

  /** A call that `summary` names, of two minutes by default. */
  const add = async (
    name: string,
    started_at: string,
    fields: { seconds?: number; [field: string]: unknown } = {},
  ) => {
    const { seconds = 120, ...rest } = fields;
    const ended_at = new Date(Date.parse(started_at) + seconds * 1_000).toISOString();
    const call = genericCall({ provider_call_id: name, started_at, ended_at, ...rest });
    await calls.ingest(source, genericMessage(call, source));
    await calls.settled(tenant);
  };
  const list = (query: Record<string, string> = {}) => calls.list(tenant, query);
  const namesFor = async (query: Record<string, string>) => {
    const { data, meta } = await list(query);
    expect(meta.total).toBe(data.length);
    const ids = data.map(({ id }: { id: number }) => id);
    const views = await Promise.all(ids.map((id: number) => calls.callOf(tenant, id)));
    return views.map(({ provider_call_id }) => provider_call_id).join('');
  };

  it('200: an empty list for a tenant without calls', async () => {
    expect(await list()).toEqual({ success: true, data: [], meta: { page: 1, per_page: 20, total: 0 } });
  });

  it('200: newest first by their start, each exactly as the contract lists it', async () => {
    await add('B', '2026-03-02T11:00:00Z', { transcript: [{ role: 'agent', text: 'Hello' }], summary: 'S' });
    await add('A', '2026-03-02T10:00:00Z');
    const { data } = await list();
    expect(await namesFor({})).toBe('BA');
    expect(data[0]).toEqual({
      id: expect.any(Number),
      customer_id: null,
      direction: 'inbound',
      missed: false,
      duration: 120,
      from_number: '+493023125001',
      to_number: '+493023125999',
      source: 'Phone of generic',
      started_at: '2026-03-02T11:00:00.000Z',
      ended_at: '2026-03-02T11:02:00.000Z',
      sentiment: null,
      quality_score: null,
      outcome: 'other',
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(Object.keys(data[0]).toSorted()).toEqual(
      Object.keys(callListEntry.omit({ test: true }).shape).toSorted(),
    );
  });

  it('bears the source’s name of today, also of one that is deleted', async () => {
    await add('A', '2026-03-02T10:00:00Z');
    const single = `/internal/tenants/${tenant}/call-sources/${source.id}`;
    const [{ id }] = (await list()).data;
    const etagOf = async () => (await calls.api(tenant, 'GET', `/api/v1/calls/${id}`)).headers.etag;
    const before = await etagOf();
    await calls.admin('PATCH', single, { name: 'Front door' });
    await calls.admin('DELETE', single);
    expect((await list()).data[0].source).toBe('Front door');
    expect((await calls.callOf(tenant, id)).source).toBe('Front door');
    expect(await etagOf()).not.toBe(before);
  });

  it('filters by each of its filters, alone and together, and counts what matches', async () => {
    const at = (hour: number) => `2026-03-02T1${hour}:00:00Z`;
    await add('A', at(0), { sentiment: 'positive', outcome: 'booked' });
    await add('B', at(1), { sentiment: 'negative', outcome: 'booked', direction: 'outbound' });
    await add('C', at(2), { sentiment: 'negative', outcome: 'inquiry', seconds: 14 });
    await add('D', at(3), { seconds: 0 });
    expect(await namesFor({ sentiment: 'negative' })).toBe('CB');
    expect(await namesFor({ outcome: 'booked' })).toBe('BA');
    expect(await namesFor({ direction: 'outbound' })).toBe('B');
    expect(await namesFor({ missed: 'true' })).toBe('DC');
    expect(await namesFor({ missed: 'false' })).toBe('BA');
    expect(await namesFor({ outcome: 'no_answer' })).toBe('D');
    expect(await namesFor({ sentiment: 'negative', missed: 'true' })).toBe('C');
    expect(await namesFor({ sentiment: 'negative', outcome: 'booked', direction: 'inbound' })).toBe('');
    const all = { sentiment: 'negative', outcome: 'booked', direction: 'outbound', missed: 'false' };
    expect(await namesFor({ ...all, from_date: '2026-03-02', to_date: '2026-03-02' })).toBe('B');
    expect(await namesFor({ customer_id: '7' })).toBe('');
    expect((await list({ sentiment: 'negative', per_page: '1' })).meta).toMatchObject({
      total: 2,
      per_page: 1,
    });
  });

  it('filters by customer', async () => {
    const id = calls.crm.addCustomer(tenant, '+493023125055');
    await add('A', '2026-03-02T10:00:00Z', { from_number: '+493023125055' });
    await add('B', '2026-03-02T11:00:00Z');
    expect(await namesFor({ customer_id: String(id) })).toBe('A');
    expect(await namesFor({ customer_id: String(id), missed: 'true' })).toBe('');
  });

  it('pages through all, each once, and is empty past the end', async () => {
    for (const n of [0, 1, 2, 3, 4]) await add(String(n), `2026-03-02T1${n}:00:00Z`);
    const pages = await Promise.all(['1', '2', '3', '4'].map((page) => list({ page, per_page: '2' })));
    expect(pages.map(({ data }) => data.length)).toEqual([2, 2, 1, 0]);
    expect(new Set(pages.flatMap(({ data }) => data.map(({ id }: { id: number }) => id))).size).toBe(5);
    expect(pages.map(({ meta }) => [meta.page, meta.total, 'next_cursor' in meta])).toEqual([
      [1, 5, true],
      [2, 5, true],
      [3, 5, false],
      [4, 5, false],
    ]);
    expect((await list({ per_page: '5000' })).meta.per_page).toBe(100);
  });

  it.each([
    [{ page: '0' }, 'page'],
    [{ per_page: '0' }, 'per_page'],
    [{ per_page: 'ten' }, 'per_page'],
    [{ sentiment: 'happy' }, 'sentiment'],
    [{ outcome: 'won' }, 'outcome'],
    [{ direction: 'sideways' }, 'direction'],
    [{ missed: 'yes' }, 'missed'],
    [{ customer_id: '0' }, 'customer_id'],
    [{ customer_id: 'x' }, 'customer_id'],
    [{ from_date: '02.03.2026' }, 'from_date'],
    [{ from_date: '2026-02-30' }, 'from_date'],
    [{ to_date: '2026-03-02T10:00:00' }, 'to_date'],
    [{ from_date: '2026-03-03', to_date: '2026-03-02' }, 'to_date'],
    [{ from_date: '2026-03-02T10:00:01Z', to_date: '2026-03-02T10:00:00Z' }, 'to_date'],
    [{ from_date: '2026-03-03', to_date: '2026-03-02T22:59:59.999Z' }, 'to_date'],
    [{ sort: 'duration' }, 'sort'],
    [{ cursor: 'x' }, 'cursor'],
    [{ updated_since: 'yesterday' }, 'updated_since'],
  ])('422: %j', async (query, field) => {
    const answer = await calls.api(tenant, 'GET', `/api/v1/calls?${new URLSearchParams(query)}`);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({
      success: false,
      code: field === 'cursor' ? 'invalid_cursor' : 'validation_failed',
    });
    expect(Object.keys(answer.body.errors)).toEqual([field]);
  });
});
