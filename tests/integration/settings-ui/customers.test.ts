import type { AddressInfo } from 'node:net';
import { eventually, startReceiver } from '../../support/index.ts';
import { startCalls } from '../calls/calls-world.ts';
import { genericMessage } from '../calls/signed-messages.ts';
import { startCalendarWorld } from './calendar-world.ts';
import { choicesOf, fieldsOf } from './form-fields.ts';
import type { Browser } from './inject-browser.ts';
import { NOBODY } from './settings-world.ts';

type World = Awaited<ReturnType<typeof startCalendarWorld>>;
type SignedIn = Awaited<ReturnType<World['signedIn']>>;

const CUSTOMERS = '/settings/customers';

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

let lastNumber = 100;
async function add(browser: Browser, fields: object = {}): Promise<number> {
  lastNumber += 1;
  const body = { name: 'Ben Adler', phone: `+49 30 23125 ${lastNumber}`, ...fields };
  const answer = await browser.json('POST', `${CUSTOMERS}/new`, body);
  expect([answer.status, answer.body.errors]).toEqual([201, undefined]);
  return answer.body.data.id;
}

/** The names in the page's table, in its order. */
const namesIn = (page: string): string[] =>
  [...page.matchAll(/<th scope="row" data-label="Customer"><div><a [^>]*>([^<]*)</g)].map(
    ([, name = '']) => name,
  );

const textOf = (page: string): string => page.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

describe('the list', () => {
  it('finds by search, segment and stage, sorts, and counts what each segment has', async () => {
    const { browser } = await world.newSalon({ customer: 'Mia <b>Wong</b>' });
    await add(browser, {
      name: 'Ben Adler',
      segment: 'vip',
      pipeline_stage: 'Trial',
      email: 'ben@example.com',
    });
    await add(browser, { name: 'Cleo Ng', segment: 'vip', pipeline_stage: 'Won' });
    const shown = async (query = '') => namesIn((await browser.html(`${CUSTOMERS}${query}`)).page);
    const mia = 'Mia &lt;b&gt;Wong&lt;/b&gt;';
    expect(await shown()).toEqual(['Cleo Ng', 'Ben Adler', mia]);
    expect(await shown('?sort=created_at')).toEqual([mia, 'Ben Adler', 'Cleo Ng']);
    expect(await shown('?segment=vip&search=&pipeline_stage=')).toEqual(['Cleo Ng', 'Ben Adler']);
    expect(await shown('?segment=vip&pipeline_stage=Trial')).toEqual(['Ben Adler']);
    expect(await shown('?search=BEN%40')).toEqual(['Ben Adler']);
    expect(await shown('?search=030+901820')).toEqual([mia]);

    const { page } = await browser.html(`${CUSTOMERS}?segment=vip&search=b`);
    expect(textOf(page)).toContain('All 3 Lead 1 Active 0 Inactive 0 VIP 2');
    expect(page).toContain(`href="${CUSTOMERS}?search=b&amp;segment=lead"`);
    expect(page).toContain(`href="${CUSTOMERS}/export.csv?search=b&amp;segment=vip"`);
    expect(page).toContain('1 customer found');
    expect(page).toMatch(/<option value="Trial">.*<option value="Won">/);
    const { body } = await browser.json('GET', `${CUSTOMERS}?segment=vip`);
    expect(body).toMatchObject({
      data: [{ name: 'Cleo Ng' }, { name: 'Ben Adler' }],
      meta: { total: 2, page: 1 },
    });
  });

  it('says so where nobody is found or the page is none, and refuses what no list can be sorted by', async () => {
    const { browser } = await world.newSalon();
    expect((await browser.html(`${CUSTOMERS}?search=nobody`)).page).toContain('No customers match.');
    expect((await browser.html(`${CUSTOMERS}?page=7`)).page).toContain('The list has no page 7.');
    const wrong = await browser.html(`${CUSTOMERS}?sort=name`);
    expect([wrong.status, wrong.page.includes('Show all customers')]).toEqual([422, true]);
  });
});

describe('a customer', () => {
  it('shows contact, notes, what is coming and what was, calls with sentiment, and where the log has its events', async () => {
    const calls = await startCalls({ env: { CRM_INTERNAL_URL: world.env.CRM_INTERNAL_URL } });
    const url = await calls.service.internal.listen({ host: '127.0.0.1', port: 0 });
    opened.push(() => calls.service.internal.close(), calls.stop);
    const on = await world.startSettings({ ...world.env, CALLS_INTERNAL_URL: url });
    const salon = await world.newSalon();
    const { tenantId, customer_id } = salon;
    const { browser } = await world.signedIn({ tenantId, on });
    const stranger = await add(browser, { name: 'Somebody Else' });
    const [coming, past] = [await salon.booked(), await salon.booked({ appointment_date: '2021-06-07' })];
    const others = await salon.booked({ customer_id: stranger, appointment_time: '15:00' });
    calls.newTenant({ id: tenantId });
    const source = await calls.newSource(tenantId);
    const call = {
      ...{ provider_call_id: 'a', direction: 'inbound', from_number: '+4930901820', to_number: null },
      ...{ started_at: '2026-01-31T09:00:00Z', ended_at: '2026-01-31T09:02:05Z', sentiment: 'negative' },
    };
    await calls.ingest(source, genericMessage(call, source));
    await calls.settled(tenantId);

    const { status, page } = await browser.html(`${CUSTOMERS}/${customer_id}`);
    expect(status).toBe(200);
    const text = textOf(page);
    expect(text).toMatch(/Coming .*Mon, 2 Jun 2031 .*10:00–11:00 .*Past .*Mon, 7 Jun 2021/);
    expect(text).toMatch(/Haircut with Anna .*Scheduled .*45,50 €/);
    expect(text).toMatch(/Negative 2 min 5 s/);
    expect(page).toContain('<a class="phone" href="tel:+4930901820">+49 30 901820</a>');
    for (const id of [coming, past]) expect(page).toContain(`"/settings/calendar/appointments/${id}"`);
    expect(page).not.toContain(`appointments/${others}"`);
    expect(page).toContain(
      `/settings/calendar/book?service_id=${salon.serviceIds[0]}&amp;staff_id=${salon.staffIds[0]}&amp;customer_id=${customer_id}`,
    );
    expect(page).toMatch(/\/settings\/api\?event=customer\.created&amp;from=(\S+)&amp;to=\1#deliveries/);
    expect((await browser.json('GET', `${CUSTOMERS}/${customer_id}`)).body.data).toMatchObject({
      name: 'Mia Wong',
    });
  });

  it('is added from a form that keeps what was typed; a number that is taken leads to who has it', async () => {
    const { browser, customer_id } = await world.newSalon();
    const prefilled = fieldsOf(
      (await browser.html(`${CUSTOMERS}/new?phone=%2B4930901820`)).page,
      'customer-form',
    );
    expect(prefilled).toMatchObject({ phone: ['+4930901820'], segment: ['lead'] });
    const typed = { ...prefilled, name: 'Ben', email: '', pipeline_stage: '', notes: 'One\r\nTwo' };
    const taken = await browser.form(`${CUSTOMERS}/new`, typed);
    expect(taken.status).toBe(422);
    expect(taken.page).toContain(`Mia Wong has this number already. <a href="${CUSTOMERS}/${customer_id}">`);
    expect(fieldsOf(taken.page, 'customer-form')).toMatchObject({ name: ['Ben'], notes: ['One\r\nTwo'] });

    const added = await browser.form(`${CUSTOMERS}/new`, { ...typed, phone: '030 23125 999' });
    expect(added.status).toBe(303);
    const [, path = ''] = /^(.*)\?done=customer-added$/.exec(String(added.headers.location)) ?? [];
    expect((await browser.json('GET', path)).body.data).toMatchObject({
      ...{ name: 'Ben', phone: '030 23125 999', email: null, segment: 'lead', pipeline_stage: null },
      ...{ notes: 'One\nTwo', source: 'front_desk' },
    });
    expect((await browser.html('/settings/audit')).page).toContain('Added a customer');
  });

  it('that two change at once is merged: what only one changed is in, what both did is to be chosen', async () => {
    const { browser, customer_id } = await world.newSalon();
    const path = `${CUSTOMERS}/${customer_id}`;
    const drawn = fieldsOf((await browser.html(`${path}/edit`)).page, 'customer-form');
    expect((await browser.form(path, { ...drawn, name: 'Theirs', segment: 'vip' })).status).toBe(303);
    const clash = await browser.form(path, { ...drawn, name: 'Mine', notes: 'Likes tea' });
    expect([clash.status, choicesOf(clash.page, 'name')]).toEqual([412, ['Mine', 'Theirs']]);
    const saved = await browser.form(path, { ...fieldsOf(clash.page, 'customer-form'), name: 'Mine' });
    expect([saved.status, saved.headers.location]).toEqual([303, `${path}?done=customer-saved`]);
    expect((await browser.json('GET', path)).body.data).toMatchObject({
      ...{ name: 'Mine', segment: 'vip', notes: 'Likes tea' },
    });
  });

  it('404: of another business, or none; nothing of theirs is in a list or a file', async () => {
    const { customer_id } = await world.newSalon();
    const { browser } = await world.newSalon({ customer: 'Own' });
    for (const path of [CUSTOMERS, `${CUSTOMERS}?search=mia`, `${CUSTOMERS}/export.csv`])
      expect((await browser.html(path)).page).not.toContain('Mia Wong');
    for (const id of [customer_id, 2 ** 40, 'x']) {
      const path = `${CUSTOMERS}/${id}`;
      const answers = [
        await browser.json('GET', path),
        await browser.json('GET', `${path}/edit`),
        await browser.json('POST', path, { name: 'Stolen' }),
      ];
      for (const { status, body } of answers)
        expect([status, body.message]).toEqual([404, 'Customer not found.']);
    }
  });

  it('where crm is away: a form that was sent is shown again, and the list says so', async () => {
    const { tenantId, customer_id } = await world.newSalon();
    const on = await world.startSettings({ ...world.env, CRM_INTERNAL_URL: NOBODY });
    const { browser } = await world.signedIn({ tenantId, on });
    expect((await browser.html(CUSTOMERS)).page).toContain('The customers can’t be shown right now');
    const sent = await browser.form(`${CUSTOMERS}/${customer_id}`, { name: 'Typed', version: '"1"' });
    expect([sent.status, sent.page.includes('value="Typed"')]).toEqual([503, true]);
    expect((await browser.html(`${CUSTOMERS}/export.csv`)).status).toBe(503);
  });
});

describe('the file', () => {
  const customerOf = (id: number) => ({
    ...{
      id,
      name: `Customer ${id}`,
      phone: '+49 30 901820',
      email: null,
      segment: 'lead',
      pipeline_stage: null,
    },
    ...{ notes: null, source: 'api', created_at: '2026-01-31T09:00:00Z', updated_at: '2026-01-31T09:00:00Z' },
  });
  const pageOf = (id: number, next_cursor?: string) => ({
    ...{ status: 200, headers: { 'content-type': 'application/json' } },
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
    const on = await world.startSettings({ ...world.env, CRM_INTERNAL_URL: crm.url, ...env });
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
