import { brotliDecompressSync } from 'node:zlib';
import { eventually, startReceiver } from '../../../support/index.ts';
import { operator } from '../../gateway/gateway-world.ts';
import { ALL_DAY, everyDay } from '../../scheduling/salon.ts';
import { startCalendarWorld } from '../calendar-world.ts';
import { liveMarkups, until, withoutAge } from '../live-markups.ts';
import { NOBODY, PASSWORD } from '../settings-world.ts';

let world: Awaited<ReturnType<typeof startCalendarWorld>>;
beforeAll(async () => {
  world = await startCalendarWorld();
});
beforeEach(withoutAge);
afterEach(() => jest.restoreAllMocks());
afterAll(() => world.stop());

/** A zone where it is about noon: hours before and after now are of the same day. */
function zoneAtNoon(): string {
  const offset = 12 - new Date().getUTCHours();
  return `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
}

/** A salon that is always open, and what books so many minutes from now. */
async function salonOfToday(fields: object = {}) {
  const zone = zoneAtNoon();
  const staff = ['Anna', 'Ben'].map((name) => ({ name, services: ['Haircut'], hours: everyDay(ALL_DAY) }));
  const salon = await world.newSalon({ timezone: zone, pagesTimezone: zone, staff, ...fields });
  const now = Temporal.Now.zonedDateTimeISO(zone);
  const bookedIn = (minutes: number, more: object = {}) => {
    const start = now.add({ minutes }).toPlainDateTime();
    const [appointment_date, time = ''] = start.toString().split('T');
    return salon.booked({ appointment_date, appointment_time: time.slice(0, 5), ...more });
  };
  return { ...salon, bookedIn };
}

/** A key can hold no more than some of the times. */
const ANOTHER_HOLDER_EACH = `update appointments set holder = 'key:' || id where tenant_id = $tenantId`;

const addressOf = (id: number) => `/settings/calendar/appointments/${id}`;
const rowsIn = (page: string): number[] =>
  [...page.matchAll(/<li id="appointment-(\d+)"/g)].map(([, id]) => Number(id));
const rowOf = (page: string, id: number): string =>
  page.split(`<li id="appointment-${id}"`)[1]?.split('</li>')[0] ?? '';
const textOf = (markup: string): string => markup.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
const versionIn = (row: string): string =>
  (/name="version" value="([^"]*)"/.exec(row)?.[1] ?? '').replaceAll('&quot;', '"');

it('is where people land, and one of four places', async () => {
  const { tenantId } = await world.newSalon();
  const admin = await world.newAdmin(tenantId);
  const browser = world.browser();
  const turnedAway = await browser.html('/settings');
  expect([turnedAway.status, turnedAway.headers.location]).toEqual([303, '/settings/sign-in']);
  const answer = await browser.form('/settings/sign-in', { email: admin.email, password: PASSWORD });
  expect([answer.status, answer.headers.location]).toEqual([303, '/settings']);
  expect((await browser.html('/')).headers.location).toBe('/settings');
  const { status, page } = await browser.html('/settings');
  expect(status).toBe(200);
  const [, navigation = ''] = /<nav class="places"[^>]*>(.*?)<\/nav>/s.exec(page) ?? [];
  const places = [...navigation.matchAll(/<a href="([^"]*)"([^>]*)>/g)].map(([, href, more]) => [
    href,
    more?.includes('aria-current="page"'),
  ]);
  expect(places).toEqual([
    ['/settings', true],
    ['/settings/calendar', false],
    ['/settings/customers', false],
    ['/settings/calls', false],
    ['/settings/all', false],
  ]);
});

it('all else is among the settings, which are listed beside each of them', async () => {
  const { browser } = await world.newSalon();
  const { page } = await browser.html('/settings/all');
  const [, index = ''] = /<div class="settings-index">(.*?)<\/main>/s.exec(page) ?? [];
  const listed = [...index.matchAll(/<a href="([^"]*)"/g)].map(([, href = '']) => href);
  expect(listed).toEqual([
    ...['/settings/business', '/settings/business/services', '/settings/business/opening-hours'],
    ...['/settings/business/staff', '/settings/people'],
    ...['/settings/calls/sources', '/settings/api', '/settings/api/docs'],
    ...['/settings/statistics', '/settings/audit'],
  ]);
  for (const href of listed) {
    const shown = await browser.html(href);
    expect([href, shown.status]).toEqual([href, 200]);
    const [, beside = ''] = /<nav class="settings-list"[^>]*>(.*?)<\/nav>/s.exec(shown.page) ?? [];
    expect(beside).toContain(`<a href="${href}" aria-current="page">`);
    expect(shown.page).toContain('<a href="/settings/all" aria-current="true">');
    expect(shown.page).toContain('<p class="up"><a href="/settings/all">Settings</a></p>');
  }
  expect((await browser.html('/settings/calendar')).page).not.toContain('class="settings-list"');
});

it('lists the day by time with name, service, person and status; what is over stands behind a line', async () => {
  const salon = await salonOfToday({ customer: 'Mia <b>Wong</b>' });
  const [anna, ben] = salon.staffIds;
  const later = await salon.bookedIn(90, { staff_id: ben });
  const over = await salon.bookedIn(-180, { staff_id: anna });
  const on = await salon.bookedIn(-30, { staff_id: anna });
  const cancelled = await salon.bookedIn(180, { staff_id: ben });
  await salon.cancel(cancelled);
  const { page } = await salon.browser.html('/settings');
  expect(rowsIn(page)).toEqual([over, on, later]);
  const [, earlier = ''] = /<details class="earlier">(.*?)<\/details>/s.exec(page) ?? [];
  expect(rowsIn(earlier)).toEqual([over]);
  expect(textOf(earlier)).toContain('1 earlier 1 not marked yet');
  expect(page).not.toContain('<b>Wong');
  expect(textOf(rowOf(page, on))).toMatch(
    /\d\d:\d\d–\d\d:\d\d Mia &lt;b&gt;Wong&lt;\/b&gt; Haircut A with Anna Now/,
  );
  expect(textOf(rowOf(page, later))).toMatch(/Haircut B with Ben Scheduled/);
  const pressable = (id: number) =>
    [...rowOf(page, id).matchAll(/form="desk" formaction="([^"]*)"/g)].map(([, address]) => address);
  const pressed = (row: number, ...verbs: string[]) => verbs.map((verb) => `${addressOf(row)}/${verb}`);
  expect(pressable(on)).toEqual(pressed(on, 'arrive', 'complete', 'no-show'));
  // Nobody knows yet whether they come.
  expect(pressable(later)).toEqual(pressed(later, 'arrive', 'complete'));
  for (const id of [on, later]) expect(rowOf(page, id)).toContain('href="tel:+4930901820"');
});

it.each([
  ['complete', 'completed', 'appointment-completed'],
  ['no-show', 'no_show', 'appointment-no-show'],
])('one press marks somebody: %s; and one takes that back', async (verb, status, notice) => {
  const salon = await salonOfToday();
  const id = await salon.bookedIn(-10);
  const version = versionIn(rowOf((await salon.browser.html('/settings')).page, id));
  const fields = { return_to: 'today', version };
  const marked = await salon.browser.form(`${addressOf(id)}/${verb}`, fields);
  expect([marked.status, marked.headers.location]).toEqual([303, `/settings?done=${notice}:${id}`]);
  const after = (await salon.browser.html(`/settings?done=${notice}:${id}`)).page;
  const [, toast = ''] = /class="notice good toast"([\s\S]*?)<\/div>/.exec(after) ?? [];
  expect(toast).toContain(`formaction="${addressOf(id)}/reactivate"`);
  // Somebody else was slower: the page says so, and what is there now.
  const overtaken = await salon.browser.form(`${addressOf(id)}/${verb}`, fields);
  expect(overtaken.status).toBe(412);
  expect(overtaken.page).toContain('<h1>Today</h1>');
  expect(overtaken.page).toContain('Someone else has changed this');

  const back = await salon.browser.form(`${addressOf(id)}/reactivate`, {
    return_to: 'today',
    version: versionIn(toast),
  });
  expect([back.status, back.headers.location]).toEqual([303, '/settings?done=appointment-reactivated']);
  const { body } = await salon.browser.json('POST', `${addressOf(id)}/${verb}`, { return_to: 'today' });
  expect(body.data).toMatchObject({ id, status });
});

it('one press marks an arrival; the row then says when, and undoes it', async () => {
  const salon = await salonOfToday();
  const id = await salon.bookedIn(10);
  const stream = await liveMarkups(world.settings, salon.browser, '/settings/live');
  await until(stream, new RegExp(`id="appointment-${id}"`));
  const row = async (query = '') => rowOf((await salon.browser.html(`/settings${query}`)).page, id);
  const fields = async () => ({ return_to: 'today', version: versionIn(await row()) });
  const marked = await salon.browser.form(`${addressOf(id)}/arrive`, await fields());
  expect([marked.status, marked.headers.location]).toEqual([303, `/settings?done=appointment-arrived:${id}`]);
  const { page } = await salon.browser.html(`/settings?done=appointment-arrived:${id}`);
  const [, toast = ''] = /class="notice good toast"([\s\S]*?)<\/div>/.exec(page) ?? [];
  expect(toast).toContain(`formaction="${addressOf(id)}/not-arrived"`);
  const arrived = rowOf(page, id);
  expect(textOf(arrived)).toMatch(/Haircut A with Anna Arrived \d\d:\d\d/);
  expect([...arrived.matchAll(/formaction="[^"]*\/([a-z-]+)"/g)].map(([, verb]) => verb)).toEqual([
    'complete',
    'not-arrived',
  ]);
  // Who looks on sees it too.
  await until(stream, /Arrived \d/);
  await stream.return(undefined);
  const back = await salon.browser.form(`${addressOf(id)}/not-arrived`, await fields());
  expect([back.status, /Arrived \d/.test(textOf(await row()))]).toEqual([303, false]);
});

it('what nobody booked is no appointment of the page’s, whatever its address says', async () => {
  const other = await salonOfToday();
  const id = await other.bookedIn(-10);
  const { browser } = await salonOfToday();
  const { page } = await browser.html(`/settings?done=appointment-completed:${id}`);
  expect(page).toContain('Appointment completed.');
  expect(page).not.toContain(addressOf(id));
  expect((await browser.html('/settings?done=%3Cb%3E:1')).page).not.toContain('class="notice good toast"');
});

it('follows the day live, with no token in what all who look are sent', async () => {
  const salon = await salonOfToday();
  const stream = await liveMarkups(world.settings, salon.browser, '/settings/live');
  const first = await until(stream, /Nothing is booked today/);
  expect(first).not.toContain('_csrf');
  const id = await salon.bookedIn(60);
  const booked = await until(stream, new RegExp(`id="appointment-${id}"`));
  expect(booked).toContain('Mia Wong');
  await salon.browser.json('POST', `${addressOf(id)}/complete`, {});
  await until(stream, /Completed/);

  const { gatewayWorld, gateway } = world;
  const path = `/internal/tenants/${salon.tenantId}`;
  await gatewayWorld.internal(gateway, operator, 'PATCH', path, { status: 'suspended' });
  await eventually(async () => {
    const { page } = await salon.browser.html('/settings');
    expect(page).toContain('This business is suspended');
    expect(page).toContain(`<li id="appointment-${id}"`);
    expect(page).not.toContain('form="desk"');
  });
  await stream.return(undefined);
  const suspended = await liveMarkups(world.settings, salon.browser, '/settings/live');
  expect(await until(suspended, new RegExp(`id="appointment-${id}"`))).not.toContain('form="desk"');
  await suspended.return(undefined);
});

it('an owner and a viewer who follow the same day each see what is theirs', async () => {
  const salon = await salonOfToday();
  const { browser: viewer } = await world.signedIn({ tenantId: salon.tenantId, role: 'viewer' });
  const streams = await Promise.all(
    [salon.browser, viewer].map((browser) => liveMarkups(world.settings, browser, '/settings/live')),
  );
  const id = await salon.bookedIn(60);
  const drawn = await Promise.all(
    streams.map((stream) => until(stream, new RegExp(`id="appointment-${id}"`))),
  );
  // Calls are away here, so call sources can't be checked, which only the owner would mend.
  expect(drawn.map((markup) => [/form="desk"/.test(markup), /can be checked/.test(markup)])).toEqual([
    [true, true],
    [false, false],
  ]);
  await Promise.all(streams.map((stream) => stream.return(undefined)));
});

it('a service that is away shows as such, and the rest of the page works', async () => {
  const salon = await salonOfToday();
  const id = await salon.bookedIn(60);
  const pageOn = async (env: Record<string, string>) => {
    const on = await world.startSettings(env);
    const { browser } = await world.signedIn({ tenantId: salon.tenantId, on });
    const { status, page } = await browser.html('/settings');
    expect(status).toBe(200);
    return page;
  };
  const nameless = await pageOn({ CRM_INTERNAL_URL: NOBODY });
  expect(textOf(nameless)).toContain('Names can’t be shown right now.');
  expect(textOf(rowOf(nameless, id))).toContain(`Customer ${salon.customer_id}`);
  const empty = await pageOn({ SCHEDULING_INTERNAL_URL: NOBODY });
  expect(textOf(empty)).toContain('The appointments can’t be shown right now');
  // Calls are away here anyway.
  expect(textOf(empty)).toContain('The missed calls can’t be shown right now');
  expect(textOf(empty)).toContain('Not everything can be checked right now');
});

it('says where most times that can be held are held, and to whom their role allows it, where to look', async () => {
  const salon = await salonOfToday();
  const [serviceId] = salon.serviceIds;
  const { api, sql } = world.scheduling;
  const wishes = salon.staffIds.flatMap((staff_id) =>
    ['02', '03', '04'].flatMap((day) =>
      ['00:00', '02:00', '04:00', '06:00', '08:00', '10:00', '12:00'].map((appointment_time) => ({
        service_id: serviceId,
        staff_id,
        appointment_date: `2031-06-${day}`,
        appointment_time,
        seconds: 600,
      })),
    ),
  );
  const hold = async (wish: object) => {
    const { status, body } = await api(salon.tenantId, 'POST', '/holds', wish);
    expect([status, body.errors]).toEqual([201, undefined]);
    await sql(salon.tenantId, ANOTHER_HOLDER_EACH);
  };
  for (const wish of wishes.slice(0, 39)) await hold(wish);
  expect((await salon.browser.html('/settings')).page).not.toContain('held for callers');
  for (const wish of wishes.slice(39)) await hold(wish);
  const { page } = await salon.browser.html('/settings');
  const [, attention = ''] = /<section[^>]*id="attention"(.*?)<\/section>/s.exec(page) ?? [];
  expect(textOf(attention)).toMatch(
    /84\s%\s42 times are held for callers\. At most 50 can be\. Each is booked or free again/,
  );
  expect(attention).toContain('href="/settings/api#keys"');
  const { browser: viewer } = await world.signedIn({ tenantId: salon.tenantId, role: 'viewer' });
  const seen = (await viewer.html('/settings')).page;
  expect(seen).toContain('42 times are held for callers. At most 50 can be.');
  expect(seen).not.toContain('/settings/api#keys');
});

describe('of a busy day', () => {
  const COUNT = 80;
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const appointments = Array.from({ length: COUNT }, (_, index) => ({
    id: 100_000 + index,
    customer_id: 200_000 + ((index * 7_919) % 10_007),
    service_id: 1,
    staff_id: index % 8,
    appointment_date: '2031-06-02',
    appointment_time: '09:00',
    end_time: '09:45',
    timezone: 'Europe/Berlin',
    starts_at: at(index * 5 - 60),
    ends_at: at(index * 5 - 15),
    duration_minutes: 45,
    status: index < 10 ? 'completed' : 'scheduled',
    notes: null,
    source: 'api',
    price: 45,
    currency: 'EUR',
    service_name: ['Haircut', 'Colour and blow dry', 'Beard trim'][index % 3],
    staff_name: `Wilhelmina ${index % 8}`,
    buffer_before_minutes: 0,
    buffer_after_minutes: 0,
    cancelled_at: null,
    created_at: at(-9_000),
    updated_at: at(-9_000),
    version: 1,
  }));
  const day = {
    date: '2031-06-02',
    timezone: 'Europe/Berlin',
    starts_at: at(-720),
    ends_at: at(720),
    slot_step_minutes: 15,
    columns: [
      {
        staff_id: 1,
        name: 'Wilhelmina',
        is_active: true,
        open: [],
        time_off: [],
        exception: null,
        appointments,
      },
    ],
  };
  const answer = (data: unknown) => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ success: true, data }),
  });

  it('each service is asked for each thing once, and a first visit takes 35 KB at most', async () => {
    const [scheduling, crm] = await Promise.all([startReceiver(), startReceiver()]);
    scheduling.respondWith(({ path }) =>
      answer(
        path.includes('/days/')
          ? day
          : path.endsWith('/bookability')
            ? { obstacle: null, services: [], staff: [] }
            : { staff: 1, services: 1 },
      ),
    );
    crm.respondWith(({ path, rawBody }) =>
      path.endsWith('/quota-usage')
        ? answer({ customers: 1 })
        : answer(
            (JSON.parse(rawBody).ids as number[]).map((id) => ({
              id,
              name: `Customer ${(id * 2_654_435_761) % 1_000_003}`,
              phone: `+49 30 ${id}`,
            })),
          ),
    );
    const on = await world.startSettings({
      SCHEDULING_INTERNAL_URL: scheduling.url,
      CRM_INTERNAL_URL: crm.url,
    });
    const { browser } = await world.signedIn({ on });
    const fetched = async (url: string) => {
      const headers = { cookie: `frontdesk=${browser.jar.get('frontdesk')}`, accept: 'text/html' };
      return (await on.api.inject({ url, headers: { ...headers, 'accept-encoding': 'br' } })).rawPayload;
    };
    const page = await fetched('/settings');
    const markup = brotliDecompressSync(page).toString();
    expect(rowsIn(markup)).toHaveLength(COUNT);
    for (const { requests } of [scheduling, crm]) {
      const asked = requests.map(({ path }) => path);
      expect(asked).toEqual([...new Set(asked)]);
    }
    const assets = [...markup.matchAll(/\/settings\/assets\/[\w-]+\.\w+\.(?:css|js)/g)].map(([path]) => path);
    const sizes = (await Promise.all(assets.map(fetched))).map(({ length }) => length);
    expect(sizes.reduce((sum, size) => sum + size, page.length)).toBeLessThan(35_000);
    await Promise.all([scheduling.close(), crm.close()]);
  });

  it('goes on while scheduling is away, with the day as it was, and is up to date once that is back', async () => {
    const [scheduling, calls] = await Promise.all([startReceiver(), startReceiver()]);
    let shown = appointments.slice(-2);
    let isAway = false;
    let open_total = 0;
    scheduling.respondWith(({ path }) =>
      isAway
        ? { status: 503, body: 'Away' }
        : path.includes('/days/')
          ? answer({ ...day, columns: [{ ...day.columns[0], appointments: shown }] })
          : answer(path.endsWith('/bookability') ? { obstacle: null, services: [], staff: [] } : {}),
    );
    calls.respondWith(({ path }) =>
      answer(path.includes('call-backs') ? { open: [], open_total, done: [] } : []),
    );
    const on = await world.startSettings({
      SCHEDULING_INTERNAL_URL: scheduling.url,
      CALLS_INTERNAL_URL: calls.url,
    });
    const { browser } = await world.signedIn({ on });
    const stream = await liveMarkups(on, browser, '/settings/live');
    expect(rowsIn(await until(stream, /id="agenda"/))).toHaveLength(2);
    isAway = true;
    expect(rowsIn(await until(stream, /they may be out of date/))).toHaveLength(2);
    open_total = 3;
    expect(rowsIn(await until(stream, /3 to call back/))).toHaveLength(2);
    shown = appointments.slice(-3);
    isAway = false;
    const ids = shown.map(({ id }) => id);
    const back = await until(stream, new RegExp(`id="appointment-${ids[0]}"`));
    expect([rowsIn(back), back.includes('out of date')]).toEqual([ids, false]);
    await stream.return(undefined);
    await Promise.all([scheduling.close(), calls.close()]);
  });
});
