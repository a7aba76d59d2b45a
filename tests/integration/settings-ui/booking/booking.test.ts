import { systemSql } from '@frontdesk/database';
import { Redis } from 'ioredis';
import { FORM_LIVES_MS } from '../../../../services/settings-ui/src/forms/form-token.rules.ts';
import { engines, eventually } from '../../../support/index.ts';
import { everyDay, MONDAY, NINE_TO_FIVE } from '../../scheduling/salon.ts';
import { BOOK, bookedOn, formOf } from '../booking-form.ts';
import { startCalendarWorld } from '../calendar-world.ts';
import { tokenFrom } from '../session-of.ts';
import { NOBODY } from '../settings-world.ts';

const letNobodyBook = systemSql<never>('test_lock_appointments', 'lock table appointments in exclusive mode');
const STILL_BOOKING = 'This appointment is still being booked.';

let world: Awaited<ReturnType<typeof startCalendarWorld>>;
beforeAll(async () => {
  world = await startCalendarWorld();
});
afterAll(() => world.stop());

const tokenIn = (page: string) => /name="form_token" value="([^"]+)"/.exec(page)?.[1];
describe('the steps', () => {
  it('go from the service over what is free to the customer; an only service is chosen already', async () => {
    const hours = everyDay(NINE_TO_FIVE);
    const salon = await world.newSalon({
      services: ['Haircut', 'Shave', 'Tattoo'].map((name) => ({ name, duration_minutes: 60, price: 45.5 })),
      staff: ['Anna', 'Ben'].map((name) => ({ name, services: ['Haircut', 'Shave'], hours })),
    });
    const [haircut] = salon.serviceIds;
    const services = await salon.browser.html(`${BOOK}?customer_id=${salon.customer_id}`);
    const next = `${BOOK}?service_id=${haircut}&amp;customer_id=${salon.customer_id}`;
    expect(services.page).toContain(`href="${next}"`);
    expect(services.page).toContain('Shave');
    // Nobody performs it.
    expect(services.page).not.toContain('Tattoo');
    await salon.booked();
    await salon.booked({ staff_id: salon.staffIds[1], appointment_time: '11:00' });
    const times = await salon.browser.html(`${BOOK}?service_id=${haircut}&date=${MONDAY}`);
    expect(times.page).toContain('Mon, 2 Jun');
    expect(times.page).toContain(`date=${MONDAY}&amp;time=09%3A00"`);
    expect(times.page).toContain(`time=10%3A00"`);
    const [anna] = salon.staffIds;
    const ofAnna = await salon.browser.html(`${BOOK}?service_id=${haircut}&date=${MONDAY}&staff_id=${anna}`);
    expect(ofAnna.page).not.toContain(`date=${MONDAY}&amp;time=10%3A00"`);
    const last = await salon.browser.html(
      `${BOOK}?service_id=${haircut}&date=${MONDAY}&time=09:00&customer_id=${salon.customer_id}`,
    );
    expect(last.page).toContain(`value="${salon.customer_id}" checked`);
    expect(last.page).toContain('Mia Wong');
  });

  it('begin with the services by their categories, those without one last', async () => {
    const services = [
      { name: 'Advice' },
      { name: 'Manicure', category: 'Nails & hands' },
      { name: 'Cut', category: 'Hair' },
      { name: 'Perm', category: 'Hair' },
    ].map((service) => ({ ...service, duration_minutes: 60, price: 45.5 }));
    const staff = [
      { name: 'Anna', services: services.map(({ name }) => name), hours: everyDay(NINE_TO_FIVE) },
    ];
    const salon = await world.newSalon({ services, staff });
    const { page } = await salon.browser.html(BOOK);
    const listed = page.match(/(?<=<h3>|<li><a [^>]*><strong>)[^<]+/g);
    expect(listed).toEqual([
      ...['Hair', 'Cut', 'Perm', 'Nails &amp; hands', 'Manicure'],
      ...['Other', 'Advice'],
    ]);
    expect(page.match(/autofocus/g)).toHaveLength(1);
    const others = await world.newSalon();
    expect((await others.browser.html(BOOK)).page).not.toContain('<h3>');
  });

  it('say that a time is not free and what is; where the business is open to it, it can be tried', async () => {
    const salon = await world.newSalon();
    await salon.booked();
    const taken = `${BOOK}?date=${MONDAY}&time=10:00&staff_id=${salon.staffIds[0]}`;
    const { page } = await salon.browser.html(taken);
    expect(page).toContain('Monday, 2 June 2031, 10:00 is not free for Haircut with Anna.');
    expect(page).toMatch(/anyway=1">Book anyway<\/a>/);
    const late = (await salon.browser.html(taken.replace('10:00', '19:00'))).page;
    expect(late).toMatch(/anyway=1">Book anyway \(outside Anna’s hours\)<\/a>/);
    const ofAnyone = (await salon.browser.html(`${BOOK}?date=${MONDAY}&time=19:00`)).page;
    expect(ofAnyone).toMatch(/anyway=1">Book anyway \(outside the hours\)<\/a>/);
    await world.scheduling.importBusiness(salon.tenantId, { settings: { booking_policy: 'slots_only' } });
    expect((await salon.browser.html(taken)).page).not.toContain('anyway=1');
  });
});

it('without crm the form says that nobody can be found, and not that there is nobody', async () => {
  const salon = await world.newSalon();
  const on = await world.startSettings({ CRM_INTERNAL_URL: NOBODY });
  const { browser } = await world.signedIn({ tenantId: salon.tenantId, on });
  const { page } = await browser.form(BOOK, formOf(salon, { q: 'Mia', notes: 'Fringe' }));
  expect(page).toContain('Customers can’t be found right now.');
  expect(page).toContain('>Fringe</textarea>');
});

describe('the form', () => {
  it('finds the customer before it books, and books the chosen one', async () => {
    const salon = await world.newSalon();
    const found = await salon.browser.form(BOOK, formOf(salon, { q: '901820', notes: 'Fringe' }));
    expect([found.status, await bookedOn(salon)]).toEqual([200, []]);
    expect(found.page).toContain(`value="${salon.customer_id}" checked`);
    expect(found.page).toContain('>Fringe</textarea>');
    const customer_id = String(salon.customer_id);
    const sent = formOf(salon, { q: '901820', found: '901820', customer_id, notes: 'Fringe' });
    const { status, headers } = await salon.browser.form(BOOK, sent);
    const [booked] = await bookedOn(salon);
    expect([status, headers.location]).toEqual([
      303,
      `/settings/calendar/appointments/${booked?.id}?done=appointment-booked`,
    ]);
    expect(booked).toMatchObject({ customer_id: salon.customer_id, source: 'front_desk' });
    expect((await salon.browser.html(String(headers.location))).page).toContain('Fringe');
  });

  it('books nobody while text stands in it that was not searched for', async () => {
    const salon = await world.newSalon();
    const chosen = { customer_id: String(salon.customer_id), found: '901820' };
    for (const fields of [chosen, { name: 'Ada Lovelace', phone: '+49 30 123456' }]) {
      const { status, page } = await salon.browser.form(BOOK, formOf(salon, { ...fields, q: 'Somebody' }));
      expect([status, await bookedOn(salon)]).toEqual([200, []]);
      expect(page).toContain('No customer found. Add a new one below.');
      expect(page).toContain('Nothing is booked yet: “Somebody” was looked for first.');
      expect(page).not.toMatch(/name="customer_id"[^>]*checked/);
    }
    const known = await salon.browser.form(BOOK, formOf(salon, { ...chosen, q: '901820' }));
    expect([known.status, await bookedOn(salon)]).toEqual([
      303,
      [expect.objectContaining({ customer_id: salon.customer_id })],
    ]);
  });

  it('says in words that the customer isn’t there any more', async () => {
    const salon = await world.newSalon();
    const chosen = formOf(salon, { customer_id: '999999999', notes: 'Fringe' });
    const { status, page } = await salon.browser.form(BOOK, chosen);
    expect([status, page.includes('selected customer_id')]).toEqual([422, false]);
    expect(page).toContain('This customer isn’t there any more. Choose another one.');
    expect(page).toContain('>Fringe</textarea>');
  });

  it('chooses nobody whom the search has not found', async () => {
    const salon = await world.newSalon();
    const { page } = await salon.browser.form(
      BOOK,
      formOf(salon, { q: 'Ada', do: 'find', customer_id: String(salon.customer_id) }),
    );
    expect(page).toContain('No customer found. Add a new one below.');
    expect(page).toMatch(/name="name"[^>]*value="Ada"/);
    expect(page).toContain(`name="customer_id" value="${salon.customer_id}">`);
  });

  it('finds nobody by what nobody can be called, and keeps what was typed', async () => {
    const salon = await world.newSalon();
    const typed = { notes: 'Likes tea', q: 'Mia\0', do: 'find' };
    const found = await salon.browser.form(BOOK, formOf(salon, typed));
    expect([
      found.status,
      found.page.includes('Likes tea'),
      found.page.includes('No customer found'),
    ]).toEqual([200, true, true]);
    const added = await salon.browser.form(
      BOOK,
      formOf(salon, { notes: 'Likes tea', name: 'Ben', phone: '+49 30\0 1' }),
    );
    expect([added.status, added.page.includes('Likes tea')]).toEqual([422, true]);
  });

  it('sent twice books once, also for somebody new', async () => {
    const salon = await world.newSalon();
    const sent = formOf(salon, { name: 'Ada Lovelace', phone: '+49 30 123456' });
    // On a busy machine the first one may take so long that the second one is refused for now: it is sent again.
    const send = () =>
      eventually(async () => {
        const answer = await salon.browser.form(BOOK, sent);
        expect(answer.page).not.toMatch(new RegExp(`${STILL_BOOKING}[^]*name="form_token" value="token-1"`));
        return answer;
      });
    const answers = await Promise.all([send(), send()]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(new Set(answers.map(({ headers }) => headers.location)).size).toBe(1);
    expect(await bookedOn(salon)).toHaveLength(1);
    const { body } = await salon.browser.json('GET', '/settings/customers/find?q=lovelace');
    expect(body.data).toEqual([
      {
        id: expect.any(Number),
        name: 'Ada Lovelace',
        email: null,
        phone: '+49 30 123456',
        phone_text: '030 123456',
        is_similar: false,
        no_shows_text: '',
      },
    ]);
  });

  it('409 while the same form is still at work; sent again later, it books once', async () => {
    const salon = await world.newSalon();
    const sent = formOf(salon, { name: 'Ada Lovelace', phone: '+49 30 123456' });
    const [first, twin] = await world.scheduling.database.system.transaction(async (tx) => {
      await tx.run(letNobodyBook);
      const both = [salon.browser.form(BOOK, sent), salon.browser.form(BOOK, sent)];
      const refused = await Promise.race(both);
      expect(refused.status).toBe(409);
      expect(refused.page).toContain(STILL_BOOKING);
      expect(tokenIn(refused.page)).toBe('token-1');
      return both;
    });
    const statuses = (await Promise.all([first, twin])).map((answer) => answer?.status);
    expect(new Set(statuses)).toEqual(new Set([303, 409]));
    expect((await salon.browser.form(BOOK, sent)).status).toBe(303);
    expect(await bookedOn(salon)).toHaveLength(1);
  });

  it('sent again after a search books once', async () => {
    const salon = await world.newSalon();
    const sent = formOf(salon, { customer_id: String(salon.customer_id) });
    const first = await salon.browser.form(BOOK, sent);
    const found = await salon.browser.form(BOOK, { ...sent, q: 'Mia', do: 'find' });
    const again = await salon.browser.form(BOOK, { ...sent, form_token: String(tokenIn(found.page)) });
    expect([again.status, again.headers.location]).toEqual([303, first.headers.location]);
    expect(await bookedOn(salon)).toHaveLength(1);
  });

  it('of a page from yesterday is refused as it was typed, and books once it is sent again; it still searches', async () => {
    const salon = await world.newSalon();
    const redis = new Redis(engines().redisUrl);
    const form_token = await tokenFrom(redis, salon.browser, FORM_LIVES_MS);
    redis.disconnect();
    const sent = formOf(salon, { customer_id: String(salon.customer_id), notes: 'Fringe', form_token });
    const refused = await salon.browser.form(BOOK, sent);
    expect([refused.status, await bookedOn(salon)]).toEqual([410, []]);
    expect(refused.page).toContain('This form has expired');
    expect(refused.page).toContain('>Fringe</textarea>');
    const json = await salon.browser.json('POST', BOOK, sent);
    expect([json.status, json.body.code]).toEqual([410, 'form_expired']);

    const found = await salon.browser.form(BOOK, { ...sent, q: 'Mia', do: 'find' });
    expect([found.status, tokenIn(found.page) === form_token]).toEqual([200, false]);
    const again = { ...sent, form_token: String(tokenIn(refused.page)) };
    expect((await salon.browser.form(BOOK, again)).status).toBe(303);
    expect(await bookedOn(salon)).toHaveLength(1);
  });

  it('is refused before scheduling forgets what came of it: sent again at the end of its day, it books nothing more', async () => {
    const salon = await world.newSalon();
    const redis = new Redis(engines().redisUrl);
    const drawnAgo = (ms: number) => tokenFrom(redis, salon.browser, ms);
    const [late, last] = [
      await drawnAgo(FORM_LIVES_MS - 60_000),
      await drawnAgo(FORM_LIVES_MS - 10 * 60_000),
    ];
    redis.disconnect();
    const send = (form_token: string) =>
      salon.browser.form(BOOK, formOf(salon, { customer_id: String(salon.customer_id), form_token }));
    const first = await send(last);
    expect(first.status).toBe(303);
    const again = await send(last);
    expect([again.status, again.headers.location]).toEqual([303, first.headers.location]);
    const refused = await send(late);
    expect(refused.status).toBe(410);
    expect(refused.page).toContain('If you sent it before, look first whether that was done.');
    expect(await bookedOn(salon)).toHaveLength(1);
  });

  it('of a time that was taken meanwhile offers others, loses nothing, and adds nobody twice', async () => {
    const salon = await world.newSalon();
    await salon.booked();
    const [staff_id] = salon.staffIds.map(String);
    const fields = {
      name: 'Ada Lovelace',
      phone: '+49 30 123456',
      notes: 'Fringe',
      staff_id: String(staff_id),
    };
    const refused = await salon.browser.form(BOOK, formOf(salon, fields));
    expect(refused.status).toBe(409);
    expect(refused.page).toContain('This time is taken.');
    expect(refused.page).toContain('>Fringe</textarea>');
    const [, at] = /name="at" value="([^"]+)"/.exec(refused.page) ?? [];
    const [, customer_id] = /name="customer_id" value="(\d+)" checked/.exec(refused.page) ?? [];
    const form_token = tokenIn(refused.page);
    expect([at?.startsWith(MONDAY), form_token !== 'token-1']).toEqual([true, true]);
    const sent = formOf(salon, { ...fields, name: '', phone: '', at, customer_id, form_token } as never);
    expect((await salon.browser.form(BOOK, sent)).status).toBe(303);
    const times = (await bookedOn(salon)).map(({ appointment_time }) => appointment_time);
    expect(new Set(times)).toEqual(new Set(['10:00', at?.slice(-5)]));
    const { body } = await salon.browser.json('GET', '/settings/customers/find?q=lovelace');
    expect(body.data).toHaveLength(1);
  });

  it('offers similar names apart, and chooses nobody among them', async () => {
    const salon = await world.newSalon({ customer: 'Siobhán Murphy' });
    const { page } = await salon.browser.form(BOOK, formOf(salon, { q: 'siobahn', do: 'find' }));
    expect(page).toContain('No customer found. Choose one with a similar name, or add a new one below.');
    expect(page).toMatch(
      new RegExp(
        `<p class="similar">Similar names</p><label[^>]*><input [^>]*value="${salon.customer_id}"(?! checked)`,
      ),
    );
    expect(page).toContain('value="siobahn">\n</div>');
    const exact = await salon.browser.form(BOOK, formOf(salon, { q: 'siobhan', do: 'find' }));
    expect(exact.page).toContain(`value="${salon.customer_id}" checked`);
    expect(exact.page).not.toContain('Similar names');
    const { body } = await salon.browser.json('GET', '/settings/customers/find?q=siobahn');
    expect(body.data).toEqual([expect.objectContaining({ id: salon.customer_id, is_similar: true })]);
  });

  it('names whose number it is, and says what is missing', async () => {
    const salon = await world.newSalon();
    const taken = formOf(salon, { name: 'M. Wong', phone: '030 901820' });
    const { status, page } = await salon.browser.form(BOOK, taken);
    expect([status, page.includes('This number belongs to <a')]).toEqual([422, true]);
    expect(page).toContain(`name="customer_id" value="${salon.customer_id}"`);
    const none = await salon.browser.form(BOOK, formOf(salon));
    expect([none.status, none.page.includes('Choose a customer')]).toEqual([422, true]);
  });

  it.each(['030 901820', '12'])(
    'books somebody new once their refused number %s is corrected',
    async (wrong) => {
      const salon = await world.newSalon();
      const typed = { q: 'Ada Lovelace', found: 'Ada Lovelace', name: 'Ada King' };
      const refused = await salon.browser.form(BOOK, formOf(salon, { ...typed, phone: wrong }));
      expect(refused.status).toBe(422);
      const [, found = ''] = /name="found" value="([^"]*)"/.exec(refused.page) ?? [];
      const corrected = { ...typed, found, phone: '030 123456', form_token: String(tokenIn(refused.page)) };
      const { status } = await salon.browser.form(BOOK, formOf(salon, corrected));
      expect([status, await bookedOn(salon)]).toEqual([
        303,
        [expect.objectContaining({ status: 'scheduled' })],
      ]);
    },
  );

  it('201 with the appointment for programs, 409 with alternatives', async () => {
    const salon = await world.newSalon();
    const { form_token: _none, ...form } = formOf(salon, { customer_id: String(salon.customer_id) });
    const body = { ...form, staff_id: salon.staffIds[0] };
    const booked = await salon.browser.json('POST', BOOK, body);
    expect([booked.status, booked.body.data.appointment_time]).toEqual([201, '10:00']);
    const refused = await salon.browser.json('POST', BOOK, body);
    expect([refused.status, refused.body.code]).toEqual([409, 'slot_unavailable']);
    expect(refused.body.data.alternatives).toHaveLength(5);
  });

  it('404: another business’s service or customer is none of this one', async () => {
    const [salon, other] = [await world.newSalon(), await world.newSalon({ customer: 'Somebody Else' })];
    const { page } = await salon.browser.html(
      `${BOOK}?customer_id=${other.customer_id}&date=${MONDAY}&time=10:00`,
    );
    expect(page).not.toContain('Somebody Else');
    for (const foreign of [{ customer_id: other.customer_id }, { service_id: other.serviceIds[0] }]) {
      const body = { ...formOf(salon), customer_id: salon.customer_id, ...foreign };
      const { status } = await salon.browser.json('POST', BOOK, body);
      expect([foreign, status]).toEqual([foreign, 422]);
    }
    expect((await salon.browser.json('GET', '/settings/customers/find?q=somebody')).body.data).toEqual([]);
  });
});
