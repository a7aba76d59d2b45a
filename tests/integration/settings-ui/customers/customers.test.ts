import { startCalls } from '../../calls/calls-world.ts';
import { genericMessage } from '../../calls/signed-messages.ts';
import { startCalendarWorld } from '../calendar-world.ts';
import { add, CUSTOMERS, textOf } from '../customers-pages.ts';
import { choicesOf, fieldsOf } from '../form-fields.ts';
import type { Browser } from '../inject-browser.ts';
import { NOBODY } from '../settings-world.ts';

type World = Awaited<ReturnType<typeof startCalendarWorld>>;

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

/** The names in the page's table, in its order. */
const namesIn = (page: string): string[] =>
  [...page.matchAll(/<th scope="row" data-label="Customer"><div><a [^>]*>([^<]*)</g)].map(
    ([, name = '']) => name,
  );

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
    const wrong = await browser.html(`${CUSTOMERS}?sort=phone`);
    expect([wrong.status, wrong.page.includes('Show all customers')]).toEqual([422, true]);
  });
});

describe('similar names', () => {
  /** The names under the heading, in the order of the page. */
  const similarIn = (page: string) => {
    const at = page.indexOf('>Similar names</h2>');
    return at < 0 ? null : namesIn(page.slice(at));
  };
  const found = async (browser: Browser, query: string) => {
    const { status, page } = await browser.html(`${CUSTOMERS}?${query}`);
    expect([query, status]).toEqual([query, 200]);
    return { exact: namesIn(page.split('>Similar names</h2>')[0] ?? ''), similar: similarIn(page) };
  };

  it('stand below those found, where these are few, under the same filters', async () => {
    const { browser } = await world.newSalon();
    for (const name of ['Siobhán Murphy', 'Siobahn Typo', 'Ronald McDonald']) await add(browser, { name });
    await add(browser, { name: 'Siobhan Vip', segment: 'vip' });
    expect(await found(browser, 'search=siobahn')).toEqual({
      exact: ['Siobahn Typo'],
      similar: ['Siobhan Vip', 'Siobhán Murphy'],
    });
    expect(await found(browser, 'search=McDonld')).toEqual({ exact: [], similar: ['Ronald McDonald'] });
    expect(await found(browser, 'search=siobahn&segment=vip')).toEqual({
      exact: [],
      similar: ['Siobhan Vip'],
    });
    for (const query of ['search=siobhan', 'search=s', 'search=030+23125', 'search=siobahn&page=2', ''])
      expect((await found(browser, query)).similar).toEqual(
        query === 'search=siobhan' ? ['Siobahn Typo'] : null,
      );
    // What a program reads or a file holds is what was found.
    const { body } = await browser.json('GET', `${CUSTOMERS}?search=siobahn`);
    expect(body).toMatchObject({ data: [{ name: 'Siobahn Typo' }], meta: { total: 1 } });
    const file = await browser.html(`${CUSTOMERS}/export.csv?search=siobahn`);
    expect(file.page).toContain('Siobahn Typo');
    expect(file.page).not.toContain('Murphy');
  });

  it('are left out where many are found', async () => {
    const { browser } = await world.newSalon();
    await add(browser, { name: 'Anma Weber' });
    for (let count = 0; count < 6; count += 1) await add(browser, { name: `Anna ${count}` });
    expect((await found(browser, 'search=anna')).similar).toBeNull();
  });

  it('customers are sorted by name', async () => {
    const { browser } = await world.newSalon({ customer: 'Özil' });
    for (const name of ['zoe', 'Anna', 'Ärger']) await add(browser, { name });
    expect((await found(browser, 'sort=name')).exact).toEqual(['Anna', 'Ärger', 'Özil', 'zoe']);
    expect((await found(browser, 'sort=-name')).exact).toEqual(['zoe', 'Özil', 'Ärger', 'Anna']);
    expect((await browser.html(CUSTOMERS)).page).toContain('<option value="name">');
  });
});

describe('a customer', () => {
  it('shows contact, notes, what is coming and what was, calls with sentiment, and where the log has its events', async () => {
    const calls = await startCalls({ env: { CRM_INTERNAL_URL: world.crmUrl } });
    const url = await calls.service.internal.listen({ host: '127.0.0.1', port: 0 });
    opened.push(() => calls.service.internal.close(), calls.stop);
    const on = await world.startSettings({ CALLS_INTERNAL_URL: url });
    const salon = await world.newSalon();
    const { tenantId, customer_id } = salon;
    const { browser } = await world.signedIn({ tenantId, on });
    const stranger = await add(browser, { name: 'Somebody Else' });
    const [coming, past] = [await salon.booked(), await salon.booked({ appointment_date: '2021-06-07' })];
    const others = await salon.booked({ customer_id: stranger, appointment_time: '15:00' });
    calls.newTenant({ id: tenantId });
    const source = await calls.newSource(tenantId);
    const call = {
      provider_call_id: 'a',
      direction: 'inbound',
      from_number: '+4930901820',
      to_number: null,
      started_at: '2026-01-31T09:00:00Z',
      ended_at: '2026-01-31T09:02:05Z',
      sentiment: 'negative',
    };
    await calls.ingest(source, genericMessage(call, source));
    await calls.settled(tenantId);

    const { status, page } = await browser.html(`${CUSTOMERS}/${customer_id}`);
    expect(status).toBe(200);
    const text = textOf(page);
    expect(text).toMatch(/Upcoming .*Mon, 2 Jun 2031 .*10:00–11:00 .*Past .*Mon, 7 Jun 2021/);
    expect(text).toMatch(/Haircut with Anna .*Scheduled .*45,50 €/);
    expect(text).toMatch(/Negative 2 min 5 s/);
    expect(page).toContain('<a class="phone" href="tel:+4930901820">030 901820</a>');
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

  it('that is coming no more stands with what was, and can be booked again', async () => {
    const { browser, customer_id, booked } = await world.newSalon();
    const [cancelled] = [await booked(), await booked({ appointment_date: '2031-06-09' })];
    const path = `/settings/calendar/appointments/${cancelled}/cancel`;
    expect((await browser.form(path, {})).status).toBe(303);
    const { page } = await browser.html(`${CUSTOMERS}/${customer_id}`);
    expect(textOf(page)).toMatch(
      /Upcoming .*Mon, 9 Jun 2031 .*Past .*Mon, 2 Jun 2031 .*Cancelled .*Book again/,
    );
    expect(textOf((await browser.html('/settings/search?q=Mia')).page)).toMatch(/9 Jun 2031.*2 Jun 2031/);
  });

  it('is not added with a number that none can be; what was typed stays', async () => {
    const { browser } = await world.newSalon();
    const typed = { name: 'Ben', phone: '+49 30\0 1', notes: 'Likes tea' };
    const { status, page } = await browser.form(`${CUSTOMERS}/new`, typed);
    expect([status, page.includes('Likes tea')]).toEqual([422, true]);
  });

  it('shows the next appointment first, however many follow it, and what was beside it', async () => {
    const { browser, customer_id, booked } = await world.newSalon();
    await booked({ appointment_date: '2021-06-07' });
    for (let week = 0; week < 12; week += 1)
      await booked({
        appointment_date: Temporal.PlainDate.from('2031-06-02').add({ weeks: week }).toString(),
      });
    const { page } = await browser.html(`${CUSTOMERS}/${customer_id}`);
    expect(textOf(page)).toMatch(/Upcoming .*Mon, 2 Jun 2031 .*Mon, 4 Aug 2031 .*Past .*Mon, 7 Jun 2021/);
    expect(textOf(page)).not.toContain('11 Aug 2031');
    const later = await browser.html(`${CUSTOMERS}/${customer_id}?coming=2`);
    expect(textOf(later.page)).toMatch(
      /Upcoming .*Mon, 11 Aug 2031 .*Mon, 18 Aug 2031 .*Past .*Mon, 7 Jun 2021/,
    );
    expect(textOf((await browser.html('/settings/search?q=Mia')).page)).toMatch(
      /Mon, 2 Jun 2031.*Mon, 9 Jun 2031.*Mon, 16 Jun 2031/,
    );
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
    expect(taken.page).toContain(
      `id="phone-error">This number belongs to <a href="${CUSTOMERS}/${customer_id}">Mia Wong</a>.`,
    );
    expect(fieldsOf(taken.page, 'customer-form')).toMatchObject({ name: ['Ben'], notes: ['One\r\nTwo'] });

    const added = await browser.form(`${CUSTOMERS}/new`, { ...typed, phone: '030 23125 999' });
    expect(added.status).toBe(303);
    const [, path = ''] = /^(.*)\?done=customer-added$/.exec(String(added.headers.location)) ?? [];
    expect((await browser.json('GET', path)).body.data).toMatchObject({
      name: 'Ben',
      phone: '030 23125 999',
      email: null,
      segment: 'lead',
      pipeline_stage: null,
      notes: 'One\nTwo',
      source: 'front_desk',
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
      name: 'Mine',
      segment: 'vip',
      notes: 'Likes tea',
    });
  });

  it('has another number once somebody has confirmed it: the form names both, and keeps the rest', async () => {
    const { browser, customer_id } = await world.newSalon();
    const path = `${CUSTOMERS}/${customer_id}`;
    const drawn = fieldsOf((await browser.html(`${path}/edit`)).page, 'customer-form');
    expect(drawn.phone).toEqual(['+49 30 901820']);
    const typed = { ...drawn, phone: '0151 23456789', notes: 'Likes tea' };
    const asked = await browser.form(path, typed);
    expect(asked.status).toBe(200);
    expect(textOf(asked.page)).toContain('Change the number from 030 901820 to 01512 3456789 ?');
    expect((await browser.json('GET', path)).body.data).toMatchObject({
      phone: '+49 30 901820',
      notes: null,
    });
    const again = fieldsOf(asked.page, 'customer-form');
    expect(again).toMatchObject({ phone: ['0151 23456789'], notes: ['Likes tea'] });
    // Another one yet is asked about anew.
    expect((await browser.form(path, { ...again, phone: '0151 23456780' })).status).toBe(200);
    const saved = await browser.form(path, again);
    expect([saved.status, saved.headers.location]).toEqual([303, `${path}?done=customer-saved`]);
    expect((await browser.json('GET', path)).body.data).toMatchObject({
      phone: '0151 23456789',
      notes: 'Likes tea',
    });
    expect(textOf((await browser.html(`${CUSTOMERS}?search=0151+23456789`)).page)).toContain('Mia Wong');
    expect(textOf((await browser.html(`${CUSTOMERS}?search=030+901820`)).page)).not.toContain('Mia Wong');
  });

  it('422: a number that is none, or somebody’s, is refused at once; written otherwise it is the same', async () => {
    const { browser, customer_id } = await world.newSalon();
    const other = await add(browser, { name: 'Grace Wilson', phone: '0151 23456789' });
    const path = `${CUSTOMERS}/${customer_id}`;
    const drawn = fieldsOf((await browser.html(`${path}/edit`)).page, 'customer-form');
    const taken = await browser.form(path, { ...drawn, phone: '+49 151 234 567 89' });
    expect(taken.status).toBe(422);
    expect(taken.page).toContain(
      `id="phone-error">This number belongs to <a href="${CUSTOMERS}/${other}">Grace Wilson</a>.`,
    );
    const wrong = await browser.form(path, { ...drawn, phone: '12' });
    expect(wrong.status).toBe(422);
    expect(wrong.page).toContain('id="phone-error">Enter a complete phone number, e.g.');
    expect((await browser.form(path, { ...drawn, phone: '030/901820' })).status).toBe(303);
    // Programs say what they mean.
    const { status, body } = await browser.json('POST', path, { phone: '030 23125 777' });
    expect([status, body.data.phone]).toEqual([200, '030 23125 777']);
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
    const on = await world.startSettings({ CRM_INTERNAL_URL: NOBODY });
    const { browser } = await world.signedIn({ tenantId, on });
    expect((await browser.html(CUSTOMERS)).page).toContain('The customers can’t be shown right now');
    const sent = await browser.form(`${CUSTOMERS}/${customer_id}`, { name: 'Typed', version: '"1"' });
    expect([sent.status, sent.page.includes('value="Typed"')]).toEqual([503, true]);
    expect((await browser.html(`${CUSTOMERS}/export.csv`)).status).toBe(503);
  });
});
