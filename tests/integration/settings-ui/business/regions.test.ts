import { eventually, type Receiver, startReceiver } from '../../../support/index.ts';
import { startCalls } from '../../calls/calls-world.ts';
import { genericMessage } from '../../calls/signed-messages.ts';
import { MONDAY } from '../business-world.ts';
import { startCalendarWorld } from '../calendar-world.ts';
import { fieldsOf } from '../form-fields.ts';
import { deliver } from '../hooks-of.ts';
import { liveMarkups } from '../live-markups.ts';

type World = Awaited<ReturnType<typeof startCalendarWorld>>;

let world: World;
let calls: Awaited<ReturnType<typeof startCalls>>;
let receiver: Receiver;
let on: World['settings'];
beforeAll(async () => {
  [world, receiver] = await Promise.all([startCalendarWorld({ hasEvents: true }), startReceiver()]);
  calls = await startCalls({ env: { CRM_INTERNAL_URL: world.crmUrl } });
  const url = await calls.service.internal.listen({ host: '127.0.0.1', port: 0 });
  on = await world.startSettings({ CALLS_INTERNAL_URL: url });
});
afterAll(async () => {
  await world.stop();
  await receiver.close();
  await calls.service.internal.close();
  await calls.stop();
});

/** As people read it, with ordinary spaces. */
const textOf = (page: string): string => page.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/gu, ' ');

const AMERICA = { country: 'US', currency: 'USD' };
const GERMANY = { country: 'DE', currency: 'EUR' };
const PRICE = 1_245.5;

/** A salon with one customer, who has booked a Monday's 14:00 and has called. */
async function openSalon(region: typeof AMERICA) {
  const hours = Object.fromEntries(
    ['monday', 'tuesday'].map((day) => [day, [{ start: '09:00', end: '17:00' }]]),
  );
  const salon = await world.newSalon({
    ...region,
    on,
    services: [{ name: 'Haircut', duration_minutes: 60, price: PRICE }],
    staff: [{ name: 'Anna', services: ['Haircut'], hours }],
  });
  const appointment = await salon.booked({ appointment_time: '14:00' });
  calls.newTenant({ id: salon.tenantId, ...region });
  const source = await calls.newSource(salon.tenantId);
  const call = {
    provider_call_id: 'a',
    direction: 'inbound',
    from_number: '+4930901820',
    to_number: null,
    started_at: '2026-01-31T13:05:00Z',
    ended_at: '2026-01-31T13:07:05Z',
  };
  await calls.ingest(source, genericMessage(call, source));
  await calls.settled(salon.tenantId);
  const { data } = (await salon.browser.json('GET', '/settings/calls')).body;
  const text = async (path: string) => textOf((await salon.browser.html(path)).page);
  return { ...salon, appointment, call: data[0].id as number, text };
}

const [BUSINESS, CALENDAR] = ['/settings/business', '/settings/calendar'];

const longToday = (locale: string) =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'Europe/Berlin' }).format(new Date());

const COUNTRIES = [
  {
    region: AMERICA,
    today: () => longToday('en-US'),
    day: 'Monday, June 2, 2031',
    short: 'Mon, Jun 2',
    week: 'Jun 2 – Jun 8, 2031',
    two: '2:00 PM',
    hour: '2 PM',
    span: '2:00 – 3:00 PM',
    hours: '9:00 AM – 5:00 PM',
    price: '$1,245.50',
    typed: '1245.50',
    called: 'Jan 31, 2026, 2:05 PM',
    phone: '+49 30 901820',
    saved: [
      ['8:00 AM', '2:00 PM'],
      ['12:30 PM', '5:00 PM'],
    ],
    fields: ['9:00 AM', '5:00 PM'],
    seconds: /[A-Z][a-z]{2} \d+, \d{4}, \d+:\d\d:\d\d [AP]M/,
  },
  {
    region: GERMANY,
    today: () => longToday('en-DE'),
    day: 'Monday, 2 June 2031',
    short: 'Mon, 2 Jun',
    week: '2 Jun – 8 Jun 2031',
    two: '14:00',
    hour: '14:00',
    span: '14:00–15:00',
    hours: '09:00–17:00',
    price: '1.245,50 €',
    typed: '1245,50',
    called: '31 Jan 2026, 14:05',
    phone: '030 901820',
    saved: [
      ['08:00', '14:00'],
      ['12:30', '17:00'],
    ],
    fields: ['09:00', '17:00'],
    seconds: /\d+ [A-Z][a-z]{2} \d{4}, \d\d:\d\d:\d\d/,
  },
];

describe.each(COUNTRIES)('a business in $region.country', ({ region, ...expected }) => {
  let salon: Awaited<ReturnType<typeof openSalon>>;
  beforeAll(async () => {
    salon = await openSalon(region);
  });

  it('has its country’s dates and clocks on Today, the day and the week', async () => {
    // Again where a day ends meanwhile.
    await eventually(async () => expect(await salon.text('/settings')).toContain(expected.today()));
    const { page } = await salon.browser.html(`${CALENDAR}?date=${MONDAY}`);
    expect(textOf(page)).toContain(expected.day);
    expect(textOf(page)).toContain(`${expected.two} Mia Wong, Haircut, until`);
    expect(textOf(page)).toContain(expected.hours);
    expect(page).toContain(`>${expected.hour.replace(' ', '\u00A0')}</text>`);
    expect(page).toContain(`data-locale="en-${region.country}"`);
    // What scripts send stays H:i.
    expect(page).toContain('data-time="14:00"');
    expect(page).toMatch(
      new RegExp(`\\|\\S+ 14:30 ${expected.two.replace('00', '30').replace(' ', '\u00A0')}\\|`),
    );
    const week = await salon.text(`${CALENDAR}/week?date=${MONDAY}`);
    for (const shown of [expected.week, expected.short, expected.hours, `${expected.two} Mia Wong`])
      expect(week).toContain(shown);
  });

  it('has them in what is sent as it changes', async () => {
    const stream = await liveMarkups(on, salon.browser, `${CALENDAR}/live?date=${MONDAY}`);
    const { value } = await stream.next();
    await stream.return(undefined);
    expect(textOf(value ?? '')).toContain(`${expected.two} Mia Wong, Haircut, until`);
  });

  it('has them and its amounts in the steps of a booking, on an appointment, a customer and a call', async () => {
    const [service] = salon.serviceIds;
    const times = await salon.browser.html(`${CALENDAR}/book?service_id=${service}&date=${MONDAY}`);
    expect(textOf(times.page)).toContain(expected.short);
    expect(times.page).toMatch(/time=09%3A00"[^>]*>9:00\u00A0AM<|time=09%3A00"[^>]*>09:00</);
    const step = `${CALENDAR}/book?service_id=${service}&date=${MONDAY}&anyway=1`;
    const last = await salon.text(`${step}&time=15:00&customer_id=${salon.customer_id}`);
    expect(last).toContain(expected.price);
    expect(await salon.text(`${CALENDAR}/appointments/${salon.appointment}`)).toContain(
      `${expected.day}, ${expected.span}`,
    );
    const customer = await salon.text(`/settings/customers/${salon.customer_id}`);
    for (const shown of [`${expected.short}`, expected.span, expected.price, expected.called])
      expect(customer).toContain(shown);
    expect(await salon.text(`/settings/calls/${salon.call}`)).toContain(expected.called);
    expect(await salon.text(`/settings/search?q=${salon.appointment}`)).toContain(expected.span);
  });

  it('writes a number as its country does, whether it was typed or sent, and leaves programs what came', async () => {
    const { customer_id, serviceIds, appointment, call, browser } = salon;
    const booking = `${CALENDAR}/book?service_id=${serviceIds[0]}&date=${MONDAY}&time=15:00&anyway=1`;
    for (const path of [
      '/settings/customers',
      `/settings/customers/${customer_id}`,
      `/settings/calls/${call}`,
      '/settings/search?q=mia',
      `${CALENDAR}/appointments/${appointment}`,
      `${booking}&customer_id=${customer_id}`,
    ])
      expect([path, await salon.text(path)]).toEqual([path, expect.stringContaining(expected.phone)]);
    const { data } = (await browser.json('GET', '/settings/customers/find?q=mia')).body;
    expect(data).toEqual([expect.objectContaining({ phone: '+49 30 901820', phone_text: expected.phone })]);
  });

  it('has them in the forms of hours and prices, where they are read as they are typed', async () => {
    const path = `${BUSINESS}/staff/${salon.staffIds[0]}`;
    const { page } = await salon.browser.html(path);
    const shown = fieldsOf(page, 'hours-form');
    expect([shown.monday_start, shown.monday_end].flat()).toEqual(expected.fields);
    expect(textOf(page)).toContain(expected.hours);
    const typed = {
      ...shown,
      monday_start: ['8', '2pm'],
      monday_end: ['12.30', expected.fields[1] as string],
    };
    expect((await salon.browser.form(`${path}/hours`, typed)).status).toBe(303);
    const saved = fieldsOf((await salon.browser.html(path)).page, 'hours-form');
    expect([saved.monday_start, saved.monday_end]).toEqual(expected.saved);
    const refused = await salon.browser.form(`${path}/hours`, {
      ...typed,
      tuesday_start: 'nine',
      tuesday_end: '17:00',
    });
    expect([refused.status, refused.page.includes('value="nine"')]).toEqual([422, true]);
    expect(refused.page).toContain('Enter a time such as 14:00 or 2:00 PM.');
    const service = `${BUSINESS}/services/${salon.serviceIds[0]}`;
    const form = fieldsOf((await salon.browser.html(service)).page, 'service-form');
    expect(form.price).toEqual([expected.typed]);
    expect((await salon.browser.form(service, { ...form, price: '80,50' })).status).toBe(303);
    expect((await salon.browser.json('GET', service)).body.data.price).toBe(80.5);
  });

  it('says in the field that a time of a booking can’t be read, and keeps it', async () => {
    const step = `${CALENDAR}/book?service_id=${salon.serviceIds[0]}&date=${MONDAY}`;
    const { status, page } = await salon.browser.html(`${step}&typed_time=noonish`);
    expect([status, page.includes('value="noonish"')]).toEqual([200, true]);
    expect(page).toMatch(/id="typed_time-error">Enter a time such as/);
    const taken = await salon.text(`${step}&typed_time=2.00%20pm`);
    expect(taken).toContain(`${expected.day}, ${expected.two} is not free for Haircut.`);
  });

  it('has them to the second in the delivery log', async () => {
    const endpoint = { url: receiver.url, events: ['appointment.created'] };
    await salon.browser.json('POST', '/settings/api/webhooks', endpoint);
    await deliver(world, salon.browser, salon.tenantId, 1);
    expect(await salon.text('/settings/api')).toMatch(expected.seconds);
  });
});
