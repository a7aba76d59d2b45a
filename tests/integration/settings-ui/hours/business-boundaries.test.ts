import { addService, addStaff, BUSINESS, type BusinessWorld, startBusinessWorld } from '../business-world.ts';
import type { Browser } from '../inject-browser.ts';
import { NOBODY } from '../settings-world.ts';

let world: BusinessWorld;
let owner: Browser;
let stranger: Browser;
let ids: { service: number; staff: number; timeOff: number };

beforeAll(async () => {
  world = await startBusinessWorld();
  owner = (await world.signedIn()).browser;
  stranger = (await world.signedIn()).browser;
  const service = await addService(owner, { name: 'Owner’s service' });
  const staff = await addStaff(owner, { name: 'Owner’s Anna', service_ids: [service] });
  const off = { first_day: '2031-06-02', note: 'Owner’s holiday' };
  await owner.form(`${BUSINESS}/staff/${staff}/exceptions`, { date: '2031-06-03', kind: 'closed' });
  const timeOff = await owner.json('POST', `${BUSINESS}/staff/${staff}/time-off`, off);
  ids = { service, staff, timeOff: timeOff.body.data.id };
});
afterAll(() => world.stop());

const SERVICE = { name: 'Mine', duration_minutes: '30', price: '1' };

/** Every route that names a record, with a form that would be taken. */
const ROUTES = [
  ['GET', ({ service }) => `services/${service}`, {}],
  ['POST', ({ service }) => `services/${service}`, SERVICE],
  ['POST', ({ service }) => `services/${service}/deactivate`, {}],
  ['POST', ({ service }) => `services/${service}/activate`, {}],
  ['POST', ({ service }) => `services/${service}/delete`, {}],
  ['GET', ({ staff }) => `staff/${staff}`, {}],
  ['POST', ({ staff }) => `staff/${staff}`, { name: 'Mine' }],
  ['POST', ({ staff }) => `staff/${staff}/deactivate`, {}],
  ['POST', ({ staff }) => `staff/${staff}/activate`, {}],
  ['POST', ({ staff }) => `staff/${staff}/delete`, {}],
  [
    'POST',
    ({ staff }) => `staff/${staff}/hours`,
    { is_form: 'true', monday_start: '09:00', monday_end: '10:00' },
  ],
  ['POST', ({ staff }) => `staff/${staff}/hours`, { do: 'add:monday' }],
  ['POST', ({ staff }) => `staff/${staff}/exceptions`, { date: '2031-06-02', kind: 'closed' }],
  ['POST', ({ staff }) => `staff/${staff}/exceptions/2031-06-03/delete`, {}],
  ['POST', ({ staff }) => `staff/${staff}/time-off`, { first_day: '2031-06-02' }],
  ['POST', ({ staff, timeOff }) => `staff/${staff}/time-off/${timeOff}/delete`, {}],
  ['POST', ({ timeOff }) => `opening-hours/time-off/${timeOff}/delete`, {}],
  ['POST', () => 'opening-hours/exceptions/2031-06-03/delete', {}],
] as const satisfies readonly (readonly ['GET' | 'POST', (record: typeof ids) => string, object])[];

it.each(
  ROUTES.map(([method, path], index) => [method, path({ service: 1, staff: 2, timeOff: 3 }), index] as const),
)('404: %s %s of another tenant answers as for what does not exist', async (method, _path, index) => {
  const [, pathOf, fields] = ROUTES[index] as (typeof ROUTES)[number];
  const unknown = { service: 2 ** 40, staff: 2 ** 40, timeOff: 2 ** 40 };
  const pages = [];
  for (const record of [ids, unknown]) {
    const path = `${BUSINESS}/${pathOf(record)}`;
    const { status, page } = method === 'GET' ? await stranger.html(path) : await stranger.form(path, fields);
    expect(status).toBe(404);
    pages.push(page.replaceAll(/name="_csrf" value="[^"]*"|<code>[^<]*<\/code>/g, ''));
  }
  expect(pages[0]).toBe(pages[1]);
  expect(pages[0]).not.toContain('Owner’s');
});

it('nothing that a stranger tried has changed anything, nor can they name another’s records in a form', async () => {
  const { page } = await owner.html(`${BUSINESS}/staff/${ids.staff}`);
  for (const text of ['Owner’s Anna', 'Owner’s holiday', 'Owner’s service', 'datetime="2031-06-03"'])
    expect(page).toContain(text);
  const named = await stranger.form(`${BUSINESS}/staff/new`, {
    name: 'Ben',
    service_ids: String(ids.service),
  });
  expect(named.status).toBe(422);
  expect(named.page).not.toContain('Owner’s');
  for (const path of ['', '/services', '/staff', '/opening-hours', '/staff/new', '/services/new'])
    expect((await stranger.html(`${BUSINESS}${path}`)).page).not.toContain('Owner’s');
});

it('a stranger to all of it is asked to sign in, and is brought back', async () => {
  const { status, headers } = await world.browser().html(`${BUSINESS}/staff/${ids.staff}`);
  const next = encodeURIComponent(`${BUSINESS}/staff/${ids.staff}`);
  expect([status, headers.location]).toEqual([303, `/settings/sign-in?next=${next}`]);
  expect((await world.browser().json('GET', `${BUSINESS}/services`)).status).toBe(401);
});

it('scheduling away: its cards say so, the profile works, and nothing typed is lost', async () => {
  const on = await world.startSettings({ SCHEDULING_INTERNAL_URL: NOBODY });
  const { email } = await world.newAdmin();
  const browser = world.browser(on);
  await browser.signIn(email, 'three calm walruses');
  const business = await browser.html(BUSINESS);
  expect(business.status).toBe(200);
  expect(business.page).toContain('The booking rules can’t be shown right now');
  expect(business.page).toContain('Save name');
  for (const [path, what] of [
    ['/services', 'The services'],
    ['/staff', 'The staff'],
    ['/opening-hours', 'The calendar'],
  ]) {
    const { status, page } = await browser.html(`${BUSINESS}${path}`);
    expect([status, page.includes(`${what} can’t be shown right now`)]).toEqual([200, true]);
  }
  expect((await browser.json('GET', `${BUSINESS}/services`)).status).toBe(503);
  const typed: [path: string, fields: Record<string, string | string[]>, kept: RegExp[]][] = [
    [
      '/services/new',
      { ...SERVICE, name: 'Typed', performers: '7' },
      [/value="Typed"/, /"performers" value="7"/],
    ],
    [
      '/services/5',
      { ...SERVICE, name: 'Typed', performers: ['7', '8'], shown_performers: '9', version: '"3"' },
      [
        /value="Typed"/,
        /"performers" value="8"/,
        /"shown_performers" value="9"/,
        /"version" value="&quot;3&quot;"/,
      ],
    ],
    [
      '/staff/5',
      { name: 'Typed', specialties: 'Colour', has_services: '1', service_ids: '7', version: '"3"' },
      [/value="Typed"/, /value="Colour"/, /"has_services" value="1"/, /"service_ids" value="7"/],
    ],
    [
      '/staff/5/hours',
      { is_form: 'true', monday_start: '09:10', monday_end: '10:20' },
      [/"09:10"/, /"10:20"/],
    ],
    ['/opening-hours/hours', { is_form: 'true', friday_start: '09:10', friday_end: '' }, [/"09:10"/]],
    [
      '/staff/5/exceptions',
      { date: '2031-06-02', kind: 'closed', note: 'Typed' },
      [/2031-06-02/, /value="Typed"/],
    ],
    ['/opening-hours/time-off', { first_day: '2031-06-02', note: 'Typed' }, [/2031-06-02/, /value="Typed"/]],
    [
      '/booking',
      {
        booking_policy: 'open',
        slot_step_minutes: '20',
        horizon_days: '77',
        minimum_notice_minutes: '3',
        notice_unit: 'days',
        version: '"3"',
      },
      [/value="open" checked/, /value="20" selected/, /value="77"/, /"version" value="&quot;3&quot;"/],
    ],
  ];
  for (const [path, fields, kept] of typed) {
    const { status, page } = await browser.form(`${BUSINESS}${path}`, fields);
    expect([path, status >= 422, page.includes(`action="${BUSINESS}${path}"`)]).toEqual([path, true, true]);
    for (const text of kept) expect(page).toMatch(text);
  }
  const drawn = await browser.form(`${BUSINESS}/staff/5/hours`, { monday_start: '09:10', do: 'add:monday' });
  expect([drawn.status, drawn.page.includes('value="09:10"')]).toEqual([200, true]);
});

it('gateway away: services and staff work, the profile says so', async () => {
  const { port } = world.scheduling.service.internal.server.address() as { port: number };
  const on = await world.startSettings({
    GATEWAY_INTERNAL_URL: NOBODY,
    SCHEDULING_INTERNAL_URL: `http://127.0.0.1:${port}`,
  });
  const { email, tenantId } = await world.newAdmin();
  // Scheduling knows the tenant from before.
  const before = (await world.signedIn(tenantId)).browser;
  const id = await addStaff(before);
  const browser = world.browser(on);
  await browser.signIn(email, 'three calm walruses');
  const { page } = await browser.html(BUSINESS);
  expect(page).toContain('The profile can’t be shown right now');
  expect(page).toContain('Save booking rules');
  const typed = await browser.form(`${BUSINESS}/profile`, { name: 'Typed', version: '"3"' });
  expect([typed.status, typed.page.includes('value="Typed"')]).toEqual([503, true]);
  expect(typed.page).toContain('name="version" value="&quot;3&quot;"');
  const hours = { is_form: 'true', monday_start: '09:00', monday_end: '17:00' };
  expect((await browser.form(`${BUSINESS}/staff/${id}/hours`, hours)).status).toBe(303);
});
