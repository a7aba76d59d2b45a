import type { AddressInfo } from 'node:net';
import { eventually, startReceiver } from '../../../support/index.ts';
import { startCalendarWorld } from '../calendar-world.ts';
import { add, CUSTOMERS, textOf } from '../customers-pages.ts';
import type { Browser } from '../inject-browser.ts';

type World = Awaited<ReturnType<typeof startCalendarWorld>>;
type SignedIn = Awaited<ReturnType<World['signedIn']>>;

let world: World;
beforeAll(async () => {
  world = await startCalendarWorld();
});
afterAll(() => world.stop());

/** What one test opens, closed after it. */
const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

describe('the file', () => {
  const customerOf = (id: number) => ({
    id,
    name: `Customer ${id}`,
    phone: '+49 30 901820',
    email: null,
    segment: 'lead',
    pipeline_stage: null,
    notes: null,
    source: 'api',
    created_at: '2026-01-31T09:00:00Z',
    updated_at: '2026-01-31T09:00:00Z',
  });
  const pageOf = (id: number, next_cursor?: string) => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ success: true, data: [customerOf(id)], meta: { total: 2, next_cursor } }),
  });
  const lastEntry = async (browser: Browser) =>
    textOf((await browser.html('/settings/audit')).page.split('<tbody>')[1]?.split('</tr>')[0] ?? '');

  it('has all customers that the filter lets through, however many pages, formulas made harmless, and is in the audit log', async () => {
    const { browser } = await world.newSalon();
    for (let count = 0; count < 101; count += 1) await add(browser, { name: `=1+${count}`, segment: 'vip' });
    const { status, headers, page } = await browser.html(`${CUSTOMERS}/export.csv?segment=vip`);
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      ...[200, 'text/csv; charset=utf-8', 'no-store'],
    ]);
    const lines = page.trimEnd().split('\r\n');
    expect(lines).toHaveLength(102);
    expect(lines[0]).toMatch(/^\ufeffid,name,phone,/);
    expect(lines[1]).toMatch(/^\d+,'=1\+0,'\+49 30/);
    expect(lines[101]).toContain(",'=1+100,");
    expect(await lastEntry(browser)).toContain('Exported customers 101 customers');
  });

  /** A business whose customers this crm lists, and what downloads their file. */
  async function newDownloads(env: Record<string, string> = {}) {
    const crm = await startReceiver();
    opened.push(crm.close);
    const on = await world.startSettings({ CRM_INTERNAL_URL: crm.url, ...env });
    const signedIn = await world.signedIn({ on });
    const { browser } = signedIn;
    const { port } = on.api.server.address() as AddressInfo;
    const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { cookie, accept: 'text/html', 'accept-encoding': 'identity' };
    const download = (method = 'GET') =>
      fetch(`http://127.0.0.1:${port}${CUSTOMERS}/export.csv`, { method, headers });
    return { crm, browser, signedIn, download };
  }

  it('takes a place of its own until its last line, and breaks off where crm does: nobody takes a part for all', async () => {
    const { crm, browser, download } = await newDownloads();
    const going = Promise.withResolvers<{ status: number }>();
    crm.respondWith(({ path }) => (path.includes('cursor=') ? going.promise : pageOf(1, 'more')));
    const files = Array.from({ length: 2 }, async () => (await download()).text());
    const results = Promise.allSettled(files);
    await eventually(() => expect(crm.requests).toHaveLength(4));
    const oneMore = (await download()).status;
    const page = (await browser.html('/settings/search?q=')).status;
    going.resolve({ status: 500 });
    expect([oneMore, page]).toEqual([429, 200]);
    expect((await results).map(({ status }) => status)).toEqual(Array(2).fill('rejected'));
    expect(await lastEntry(browser)).toContain('Not confirmed');

    crm.respondWith(({ path }) => (path.includes('cursor=') ? pageOf(2) : pageOf(1, 'more')));
    const whole = await eventually(async () => {
      const answer = await download();
      expect(answer.status).toBe(200);
      return answer.text();
    });
    expect(whole.trimEnd().split('\r\n')).toHaveLength(3);
    expect((await download('HEAD')).status).toBe(405);
  });

  it.each([
    ['a sign-out', ({ browser }: SignedIn) => browser.form('/settings/sign-out', {})],
    [
      'a removal of its admin',
      async ({ tenantId, email }: SignedIn) => {
        const admins = `/internal/tenants/${tenantId}/admins`;
        const { body } = await world.asOperator('GET', admins);
        const { id } = body.data.find((admin: { email: string }) => admin.email === email);
        expect((await world.asOperator('DELETE', `${admins}/${id}`)).status).toBe(200);
      },
    ],
  ])('breaks off with the page under way after %s', async (_what, end) => {
    const { crm, signedIn, download } = await newDownloads();
    const going = Promise.withResolvers<ReturnType<typeof pageOf>>();
    const pages = [pageOf(1, 'more'), going.promise];
    crm.respondWith(() => pages.shift() ?? pageOf(3));
    const file = (await download()).text();
    await eventually(() => expect(crm.requests).toHaveLength(2));
    await end(signedIn);
    going.resolve(pageOf(2, 'more'));
    await expect(file).rejects.toThrow();
    expect(crm.requests).toHaveLength(2);
  });

  it('breaks off in time where its client reads slowly or not at all', async () => {
    const { crm, download } = await newDownloads({ EXPORT_TIMEOUT_MS: '300' });
    const large = pageOf(1, 'more');
    crm.respondWith(() => ({ ...large, body: large.body.replace('Customer 1', 'x'.repeat(2 ** 20)) }));
    const unread = await Promise.all([download(), download()]);
    await eventually(async () => {
      const { status, body } = await download();
      await body?.cancel();
      expect(status).toBe(200);
    });
    const files = await Promise.allSettled(unread.map((file) => file.text()));
    expect(files.map(({ status }) => status)).toEqual(Array(2).fill('rejected'));
  });
});
