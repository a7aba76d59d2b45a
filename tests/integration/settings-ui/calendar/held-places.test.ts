import type { CreateHold, Hold } from '@frontdesk/contracts';
import { eventually } from '../../../support/index.ts';
import { asOperator } from '../../scheduling/as-operator.ts';
import { MONDAY } from '../../scheduling/salon.ts';
import { startCalendarWorld } from '../calendar-world.ts';
import { liveMarkups, until, withoutAge } from '../live-markups.ts';

let world: Awaited<ReturnType<typeof startCalendarWorld>>;
beforeAll(async () => {
  world = await startCalendarWorld({ collects: true });
});
beforeEach(withoutAge);
afterEach(() => jest.restoreAllMocks());
afterAll(() => world.stop());

const DAY = `/settings/calendar?date=${MONDAY}`;
const WEEK = `/settings/calendar/week?date=${MONDAY}`;

type Salon = Awaited<ReturnType<typeof world.newSalon>>;

/** Holds an hour of Anna's from 10:00 on, unless it says otherwise. */
async function held(salon: Salon, fields: Partial<CreateHold> = {}): Promise<Hold> {
  const wish = {
    service_id: salon.serviceIds[0],
    staff_id: salon.staffIds[0],
    appointment_date: MONDAY,
    appointment_time: '10:00',
    seconds: 600,
    ...fields,
  };
  const { status, body } = await world.scheduling.api(salon.tenantId, 'POST', '/holds', wish);
  expect([status, body.errors]).toEqual([201, undefined]);
  return body.data;
}

const release = (salon: Salon, { id }: Hold) =>
  world.scheduling.api(salon.tenantId, 'DELETE', `/holds/${id}`);

/** What its clocks show when it ends. */
const clockOf = ({ expires_at, timezone }: Hold, locale: string) =>
  new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: timezone })
    .format(new Date(expires_at))
    .replace(/\s/, '\u00A0');

it('what is held stands in its person’s day: with its service and its end, by the business’s clocks, and no link', async () => {
  const salon = await world.newSalon();
  const hold = await held(salon);
  const until = clockOf(hold, 'de');
  const words = `10:00–11:00 Held until ${until}, Haircut`;
  const [anna] = salon.staffIds;
  const ofDay = (await salon.browser.html(DAY)).page;
  const ofAnna = (await salon.browser.html(`${WEEK}&staff_id=${anna}`)).page;
  for (const page of [ofDay, ofAnna]) {
    expect(page).toContain(`class="held" role="img"><title>${words}</title>`);
    const [, line = ''] = /<li id="[^"]+" class="held hatched">(.*?)<\/li>/s.exec(page) ?? [];
    expect(line).toMatch(
      new RegExp(`>10:00–11:00</span>\\s*<strong>Held until ${until}</strong> .*>Haircut</span>`),
    );
    expect(line).not.toContain('href');
    expect(page).toContain('data-news="0 appointments."');
    expect(page).not.toContain(`/appointments/${hold.id}`);
    expect(page).not.toMatch(/\sstyle=|<style/);
  }
  const [, bens = ''] = ofDay.split(`aria-label="Ben"`);
  expect(bens.slice(0, bens.indexOf('</svg></div>'))).not.toContain('class="held"');
  const ofAll = (await salon.browser.html(WEEK)).page;
  expect(ofAll).toMatch(
    new RegExp(`title="${words}"><span>10:00</span>\\s*Held until ${until}, Haircut</p></li>`),
  );
});

it('its end is written as the business’s country writes it', async () => {
  const zone = 'America/New_York';
  const salon = await world.newSalon({ country: 'US', currency: 'USD', timezone: zone, pagesTimezone: zone });
  const hold = await held(salon);
  const words = `10:00\u00A0– 11:00\u00A0AM Held until ${clockOf(hold, 'en-US')}, Haircut`;
  for (const address of [DAY, WEEK]) expect((await salon.browser.html(address)).page).toContain(words);
});

it('what is held is not free, in the plan and in the list', async () => {
  const salon = await world.newSalon();
  const timesOf = async (pattern: RegExp) =>
    Array.from((await salon.browser.html(DAY)).page.matchAll(pattern), ([, time]) => time);
  const inList = /class="open"><a class="entry" href="[^"]+">\s*<span class="time">([^<]+)</g;
  const inPlan = /class="free"[^>]*><title>Book ([^<]+)</g;
  const before = await timesOf(inPlan);
  const hold = await held(salon);
  expect(await timesOf(inList)).toEqual([
    ...['09:00–10:00', '11:15–12:00', '13:00–17:00'],
    ...['09:00–12:00', '13:00–17:00'],
  ]);
  const between = await timesOf(inPlan);
  // Ben has both.
  for (const time of ['10:00', '10:30'])
    expect([before, between].map((times) => times.filter((one) => one === time).length)).toEqual([2, 1]);
  await release(salon, hold);
  expect(await timesOf(inPlan)).toEqual(before);
});

it('it appears in every open browser, and goes when it is given back, booked or over, without a reload', async () => {
  const salon = await world.newSalon();
  const paths = [
    `/settings/calendar/live?date=${MONDAY}`,
    `/settings/calendar/week/live?date=${MONDAY}`,
    `/settings/calendar/week/live?date=${MONDAY}&staff_id=${salon.staffIds[0]}`,
  ];
  const streams = await Promise.all(paths.map((path) => liveMarkups(world.settings, salon.browser, path)));
  const all = (fitting: RegExp) => Promise.all(streams.map((stream) => until(stream, fitting)));
  const free = /^(?!.*Held until)/s;
  await all(free);

  const returned = await held(salon);
  await all(/Held until/);
  await release(salon, returned);
  await all(free);

  const over = await held(salon);
  await all(/Held until/);
  await world.scheduling.sql(
    salon.tenantId,
    `update appointments set held_until = now() where tenant_id = $tenantId and id = ${over.id}`,
  );
  await all(free);

  const { id } = await held(salon);
  await all(/Held until/);
  const book = { customer_id: salon.customer_id };
  const { status } = await world.scheduling.api(salon.tenantId, 'POST', `/holds/${id}/appointment`, book);
  expect(status).toBe(201);
  const booked = await all(/10:00 Mia Wong, Haircut, until 11:00, Scheduled/);
  for (const markup of booked) expect(markup).toMatch(free);
  await Promise.all(streams.map((stream) => stream.return(undefined)));
});

it('a hold where nobody works is drawn, and nobody is said to be booked', async () => {
  const salon = await world.newSalon({ staff: [{ name: 'Anna', services: ['Haircut'] }], hours: {} });
  await held(salon);
  const { page } = await salon.browser.html(DAY);
  expect(page).toContain('class="held" role="img"');
  expect(page).toContain('yet times are held.');
  expect(page).not.toContain('it has appointments');
});

it('the audit log says that an operator has given all of them back', async () => {
  const salon = await world.newSalon();
  await held(salon);
  const released = await asOperator(world.scheduling, salon.tenantId)('DELETE', '/holds');
  expect(released.body.data).toEqual({ released: 1 });
  expect((await salon.browser.html(DAY)).page).not.toContain('Held until');
  await eventually(async () =>
    expect((await salon.browser.html('/settings/audit')).page).toContain('Released all held times'),
  );
});
