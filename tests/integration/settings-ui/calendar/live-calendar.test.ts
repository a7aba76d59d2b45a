import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { eventually } from '../../../support/index.ts';
import { asOperator } from '../../scheduling/as-operator.ts';
import { sentStatements } from '../../scheduling/count-queries.ts';
import { MONDAY } from '../../scheduling/salon.ts';
import { startCalendarWorld } from '../calendar-world.ts';
import { liveMarkups, until, withoutAge } from '../live-markups.ts';

let world: Awaited<ReturnType<typeof startCalendarWorld>>;
beforeAll(async () => {
  world = await startCalendarWorld();
});
beforeEach(withoutAge);
afterEach(() => jest.restoreAllMocks());
afterAll(() => world.stop());

const DAY = `/settings/calendar/live?date=${MONDAY}`;

it('what others book, move and cancel appears in every open browser, on the day and in the week', async () => {
  const salon = await world.newSalon();
  const [anna] = salon.staffIds;
  const week = '/settings/calendar/week/live';
  const paths = [DAY, `${week}?date=${MONDAY}`, `${week}?date=${MONDAY}&staff_id=${anna}`];
  const streams = await Promise.all(paths.map((path) => liveMarkups(world.settings, salon.browser, path)));
  const all = (fitting: RegExp) => Promise.all(streams.map((stream) => until(stream, fitting)));
  await all(/data-news="0 appointments\."/);
  const id = await salon.booked();
  await all(/10:00 Mia Wong, Haircut, until 11:00, Scheduled/);
  await salon.browser.json('POST', `/settings/calendar/appointments/${id}/move`, {
    starts_at: `${MONDAY}T14:00`,
  });
  await all(/14:00 Mia Wong, Haircut, until 15:00, Scheduled/);
  await salon.cancel(id);
  const gone = await all(/data-news="0 appointments\."/);
  for (const markup of gone) expect(markup).not.toContain('Mia Wong');
  await Promise.all(streams.map((stream) => stream.return(undefined)));
});

it('scheduling is asked for a day once for all of a business who may see the same; nobody is shown what others may see', async () => {
  const salon = await world.newSalon();
  const { browser: colleague } = await world.signedIn({ tenantId: salon.tenantId });
  const { browser: viewer } = await world.signedIn({ tenantId: salon.tenantId, role: 'viewer' });
  const other = await world.newSalon();
  const ofBoth = [salon, other].map(({ tenantId }) => `/internal/tenants/${tenantId}/days/`);
  const asked: string[] = [];
  const count = (message: unknown) => {
    const { url = '' } = (message as { request: IncomingMessage }).request;
    if (ofBoth.some((path) => url.startsWith(path))) asked.push(url);
  };
  // No time passes: what has been looked at is looked at no second time.
  const now = performance.now();
  jest.spyOn(performance, 'now').mockReturnValue(now);
  subscribe('http.server.request.start', count);
  const browsers = [salon.browser, salon.browser, colleague, colleague, other.browser];
  const streams = await Promise.all(browsers.map((browser) => liveMarkups(world.settings, browser, DAY)));
  await Promise.all(streams.map((stream) => stream.next()));
  const viewed = await liveMarkups(world.settings, viewer, DAY);
  expect((await viewed.next()).value).not.toContain('/settings/calendar/book');
  const cancelled = await liveMarkups(world.settings, colleague, `${DAY}&cancelled=1`);
  await cancelled.next();
  unsubscribe('http.server.request.start', count);
  jest.restoreAllMocks();
  await Promise.all([...streams, viewed, cancelled].map((stream) => stream.return(undefined)));
  expect(asked.sort()).toEqual([...ofBoth, ofBoth[0]].map((path) => path + MONDAY).sort());
});

it('a change is written once for all browsers that show it, however large it is', async () => {
  const salon = await world.newSalon();
  const { browser: colleague } = await world.signedIn({ tenantId: salon.tenantId });
  const browsers = [salon.browser, salon.browser, colleague, colleague];
  const streams = await Promise.all(browsers.map((browser) => liveMarkups(world.settings, browser, DAY)));
  await Promise.all(streams.map((stream) => until(stream, /data-news="0 appointments\."/)));
  const stringify = jest.spyOn(JSON, 'stringify');
  await salon.booked();
  await Promise.all(streams.map((stream) => until(stream, /10:00 Mia Wong/)));
  const written = stringify.mock.calls.filter(([value]) => /10:00 Mia Wong/.test(String(value)));
  await Promise.all(streams.map((stream) => stream.return(undefined)));
  // Once more where a minute ends meanwhile.
  expect(written.length).toBeLessThan(browsers.length);
});

it('a day that hasn’t changed costs one small query a time; what its setup changes appears', async () => {
  const salon = await world.newSalon();
  const stream = await liveMarkups(world.settings, salon.browser, DAY);
  await until(stream, /Anna/);
  let answered = 0;
  const count = (message: unknown) => {
    const { url } = (message as { request: IncomingMessage }).request;
    if (url === `/internal/tenants/${salon.tenantId}/days/${MONDAY}`) answered += 1;
  };
  subscribe('http.server.response.finish', count);
  const sent = await sentStatements(() => eventually(() => expect(answered).toBeGreaterThan(2)));
  unsubscribe('http.server.response.finish', count);
  const ofDays = sent.filter((name) => name.startsWith('day'));
  expect(new Set(ofDays)).toEqual(new Set(['days_version']));
  const send = asOperator(world.scheduling, salon.tenantId);
  expect((await send('PATCH', `/staff/${salon.staffIds[0]}`, { name: 'Anneliese' })).status).toBe(200);
  await until(stream, /Anneliese/);
  await stream.return(undefined);
});

it('scheduling is asked for one day of a tenant at a time, however many are looked at', async () => {
  const salon = await world.newSalon();
  const { browser: colleague } = await world.signedIn({ tenantId: salon.tenantId });
  let [underWay, most] = [0, 0];
  const count = (by: number) => (message: unknown) => {
    const { url = '' } = (message as { request: IncomingMessage }).request;
    if (!url.startsWith(`/internal/tenants/${salon.tenantId}/days/`)) return;
    underWay += by;
    most = Math.max(most, underWay);
  };
  const [begins, ends] = [count(1), count(-1)];
  subscribe('http.server.request.start', begins);
  subscribe('http.server.response.finish', ends);
  const looking = Array.from({ length: 8 }, (_, index) => {
    const date = Temporal.PlainDate.from(MONDAY).add({ days: index });
    const browser = index % 2 === 0 ? salon.browser : colleague;
    return liveMarkups(world.settings, browser, `/settings/calendar/live?date=${date}`);
  });
  const streams = await Promise.all(looking);
  await Promise.all(streams.map((stream) => stream.next()));
  unsubscribe('http.server.request.start', begins);
  unsubscribe('http.server.response.finish', ends);
  await Promise.all(streams.map((stream) => stream.return(undefined)));
  expect(most).toBe(1);
});

it('204 for another business’s staff member, 422’s too; nothing of another business is seen', async () => {
  const salon = await world.newSalon();
  await salon.booked();
  const other = await world.newSalon({ customer: 'Somebody Else' });
  const stream = await liveMarkups(world.settings, other.browser, DAY);
  expect((await stream.next()).value).not.toContain('Mia Wong');
  await stream.return(undefined);
  for (const query of [`date=${MONDAY}&staff_id=${salon.staffIds[0]}`, 'date=x'])
    expect((await other.browser.html(`/settings/calendar/week/live?${query}`)).status).toBe(204);
});
