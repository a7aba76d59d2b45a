import { type Receiver, startReceiver } from '../../../tests/support/receiver.ts';
import { Frontdesk } from './index.ts';

let server: Receiver;
let frontdesk: Frontdesk;

/** Five customers, in pages of two. */
beforeAll(async () => {
  server = await startReceiver();
  server.respondWith(({ path }) => {
    const start = Number(new URL(path, server.url).searchParams.get('cursor') ?? '0');
    const data = [1, 2, 3, 4, 5].slice(start, start + 2).map((id) => ({ id }));
    const next = start + 2 < 5 ? { next_cursor: String(start + 2) } : {};
    return {
      status: 200,
      headers: { 'x-request-id': `from-${start}` },
      body: JSON.stringify({ success: true, data, meta: { page: 1, per_page: 2, total: 5, ...next } }),
    };
  });
  frontdesk = new Frontdesk({ apiKey: 'fd_live_key', baseUrl: server.url });
});
beforeEach(() => {
  server.requests.length = 0;
});
afterAll(() => server.close());

it('a list is its first page, with what came with it', async () => {
  const page = await frontdesk.customers.list({ per_page: 2 });
  expect(page.data).toEqual([{ id: 1 }, { id: 2 }]);
  expect(page.meta).toEqual({ page: 1, per_page: 2, total: 5, next_cursor: '2' });
  const whole = await frontdesk.customers.list().withResponse();
  expect([whole.requestId, whole.data.meta.total]).toEqual(['from-0', 5]);
});

it('for await walks through all pages by cursor, with the same filters', async () => {
  const ids: number[] = [];
  for await (const { id } of frontdesk.customers.list({ segment: 'vip', per_page: 2, page: 1 })) ids.push(id);
  expect(ids).toEqual([1, 2, 3, 4, 5]);
  expect(server.requests.map(({ path }) => path)).toEqual([
    '/api/v1/customers?segment=vip&per_page=2&page=1',
    '/api/v1/customers?segment=vip&per_page=2&cursor=2',
    '/api/v1/customers?segment=vip&per_page=2&cursor=4',
  ]);
});

it('a walk that is left early asks for no further page', async () => {
  for await (const { id } of frontdesk.customers.list()) if (id === 2) break;
  expect(server.requests).toHaveLength(1);
});

it('page by page, to null after the last', async () => {
  const sizes: number[] = [];
  let page = await frontdesk.customers.list();
  for (;;) {
    sizes.push(page.data.length);
    const next = await page.nextPage();
    expect(page.hasNextPage).toBe(next !== null);
    if (!next) break;
    page = next;
  }
  expect(sizes).toEqual([2, 2, 1]);
});

it('filters go into the address as the API reads them; what is undefined does not', async () => {
  await frontdesk.calls.list({ missed: true, from_date: '2026-03-02', sentiment: undefined as never });
  expect(server.requests[0]?.path).toBe('/api/v1/calls?missed=true&from_date=2026-03-02');
});

it('a list ends where its next cursor is null, too', async () => {
  const other = await startReceiver();
  other.respondWith(() => ({
    status: 200,
    body: JSON.stringify({ success: true, data: [{ id: 1 }], meta: { total: 1, next_cursor: null } }),
  }));
  const ids: number[] = [];
  for await (const { id } of new Frontdesk({ apiKey: 'fd_live_key', baseUrl: other.url }).calls.list())
    ids.push(id);
  await other.close();
  expect(ids).toEqual([1]);
});

it('the feed rests while another program with the same key ends its requests', async () => {
  const other = await startReceiver();
  other.respondWith(({ path }) => ({
    status: 200,
    body: JSON.stringify({
      success: true,
      data: [],
      meta: { next_cursor: path.startsWith('/api/v1/events') ? 'c' : undefined },
    }),
  }));
  const client = new Frontdesk({ apiKey: 'fd_live_key', baseUrl: other.url });
  const controller = new AbortController();
  const reason = new Error('Enough.');
  const following = client.events.follow({ after: 'c' }, { signal: controller.signal }).next();
  following.catch(() => {});
  for (let asked = 0; asked < 20; asked += 1) await client.services.list();
  controller.abort(reason);
  await expect(following).rejects.toBe(reason);
  const paths = other.requests.map(({ path }) => path);
  await other.close();
  expect(paths.filter((path) => path.startsWith('/api/v1/events')).length).toBeLessThan(10);
});

it('the feed is asked again after a quarter of an hour at the latest, whatever Retry-After says', async () => {
  const other = await startReceiver();
  other.respondWith(() => ({
    status: 429,
    headers: { 'retry-after': '86400' },
    body: JSON.stringify({ success: false, code: 'rate_limited', message: 'Later.' }),
  }));
  const client = new Frontdesk({ apiKey: 'fd_live_key', baseUrl: other.url });
  const reason = new Error('Enough.');
  const waits: number[] = [];
  const onFault = ({ waitMs }: { waitMs: number }) => {
    waits.push(waitMs);
    throw reason;
  };
  await expect(client.events.follow({ after: 'c' }, { onFault }).next()).rejects.toBe(reason);
  await other.close();
  expect(waits).toEqual([15 * 60_000]);
});
