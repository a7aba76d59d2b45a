import { CANONICAL_EVENTS, EXAMPLES, OPERATIONS } from '@frontdesk/contracts';
import { startReceiver } from '../../support/index.ts';
import type { Browser } from './inject-browser.ts';
import { PUBLIC_URL, type SettingsWorld, startSettingsWorld } from './settings-world.ts';

const DOCS = '/settings/api/docs';
const ACTIVE = { is_active: true, coming_appointments: 0 };
const SERVICE = { ...EXAMPLES.service, ...ACTIVE, buffer_before_minutes: 0, buffer_after_minutes: 0 };
const ANNA = { name: 'Anna', specialties: [], follows_business_hours: true, ...ACTIVE };

let world: SettingsWorld;
let browser: Browser;
beforeAll(async () => {
  world = await startSettingsWorld();
  ({ browser } = await world.signedIn());
});
afterAll(() => world.stop());

it('lists every operation and every event, and each link on the page leads somewhere', async () => {
  const { status, page } = await browser.html(DOCS);
  expect(status).toBe(200);
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining(OPERATIONS.map(({ id }) => id)));
  for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
  for (const { method, path } of OPERATIONS) expect(page).toContain(`${method}</strong> ${path}</code>`);
  for (const event of CANONICAL_EVENTS) expect(page).toContain(`&quot;event&quot;: &quot;${event}&quot;`);
  expect(page).toContain(`${PUBLIC_URL}/openapi.json`);
  expect(page).not.toMatch(/\{\{|undefined|\[object|NaN/);
});

it('says what may stand in a field, and whether it is required', async () => {
  const { page } = await browser.html(DOCS);
  expect(page).toMatch(
    /<code>phone<\/code><\/th>\s*<td data-label="Type"><span>string <strong class="required">/,
  );
  expect(page).toMatch(
    /<code>per_page<\/code>[\s\S]*?Anything above 100 counts as 100\. At least 1, default 20\./,
  );
  expect(page).toContain('One of lead, active, inactive, vip.');
  expect(page).toContain('409 <a href="#errors">slot_unavailable</a>');
});

describe('its examples', () => {
  let scheduling: Awaited<ReturnType<typeof startReceiver>>;
  beforeAll(async () => {
    scheduling = await startReceiver();
  });
  afterAll(() => scheduling.close());

  /** The page of a business of which scheduling says this, by the end of the path, and nothing of anything else. */
  async function pageWith(said: Record<string, object[]>) {
    scheduling.respondWith(({ path }) => {
      const [, name = ''] = /\/([a-z-]+)(?:\?|$)/.exec(path) ?? [];
      return { status: 200, body: JSON.stringify({ success: true, data: said[name] ?? [] }) };
    });
    const on = await world.startSettings({
      ...{ SCHEDULING_INTERNAL_URL: scheduling.url, CRM_INTERNAL_URL: scheduling.url },
      CALLS_INTERNAL_URL: scheduling.url,
    });
    const { browser: own } = await world.signedIn({ on });
    return { own, page: () => own.html(DOCS).then(({ page }) => page) };
  }

  /** What the button behind a command copies; none where it can't be copied. */
  const copied = (page: string, title: string) =>
    new RegExp(
      `aria-label="the command of ${title}">[^]*?(?=</pre>)</pre>(?:\\s*<button[^>]*data-copy="([^"]*)")?`,
    ).exec(page)?.[1];

  it('name what is the tenant’s own and free, never a key itself', async () => {
    const { own, page } = await pageWith({
      services: [
        { ...SERVICE, id: 70, is_active: false },
        { ...SERVICE, id: 71 },
      ],
      staff: [
        { ...ANNA, id: 79, is_active: false, service_ids: [71] },
        { ...ANNA, id: 80, service_ids: [70] },
        { ...ANNA, id: 81, service_ids: [70, 71] },
      ],
      slots: [EXAMPLES.slot, { ...EXAMPLES.slot, time: '10:15' }, { ...EXAMPLES.slot, time: '10:45' }],
      appointments: [{ ...EXAMPLES.appointment, id: 82 }],
      customers: [{ ...EXAMPLES.customer, id: 83 }],
      calls: [{ ...EXAMPLES.call, id: 84 }],
    });
    const made = await own.json('POST', '/settings/api/keys', { name: '<b>Web</b> {{date}}' });
    const shown = await page();
    expect(copied(shown, 'Book an appointment')).toContain(
      '&quot;service_id&quot;: 71, &quot;staff_id&quot;: 81, &quot;appointment_date&quot;: &quot;2026-03-09&quot;, &quot;appointment_time&quot;: &quot;10:00&quot;',
    );
    expect(copied(shown, 'Change an appointment')).toContain(
      '&quot;appointment_time&quot;: &quot;10:45&quot;',
    );
    for (const [title, path] of [
      ['List free slots', 'appointments/slots?date=2026-03-09&amp;service_id=71&amp;staff_id=81'],
      ['Get an appointment', 'appointments/82'],
      ['Get a customer', 'customers/83'],
      ['Get a call', 'calls/84'],
      ['Get a staff member', 'staff/80'],
      ['Get a service', 'services/71'],
    ])
      expect([title, copied(shown, title ?? '')]).toEqual([
        title,
        expect.stringContaining(`&#39;${PUBLIC_URL}/api/v1/${path}&#39;`),
      ]);
    expect(shown).toContain('&lt;b&gt;Web&lt;/b&gt;');
    expect(shown).not.toContain(made.body.data.key);
  });

  it('can’t be copied where the business lacks what they name, and say what to do', async () => {
    const { page } = await pageWith({ services: [{ ...SERVICE, id: 71 }] });
    const shown = await page();
    expect(copied(shown, 'Get a service')).toContain('services/71');
    for (const [title, cure] of [
      ['Book an appointment', '/settings/business/opening-hours'],
      ['Cancel an appointment', '/settings/business/opening-hours'],
      ['Get an appointment', '#create-appointment'],
      ['Get a customer', '#create-customer'],
      ['Get a call', '/settings/calls/sources'],
      ['Get a staff member', '/settings/business/staff/new'],
    ] as const) {
      expect([title, copied(shown, title)]).toEqual([title, undefined]);
      const [, example] = shown.split(`">${title}</a></h3>`);
      expect([title, example?.split('</pre>')[0]]).toEqual([
        title,
        expect.stringContaining(`href="${cure}"`),
      ]);
    }
    expect(shown).toContain('<mark>&lt;call id&gt;</mark>');
  });
});

it('stands without the other services, and asks who reads it to sign in', async () => {
  const { page } = await browser.html(DOCS);
  expect(page).toContain('The values in brackets can’t be loaded right now.');
  expect(page).toContain('&quot;service_id&quot;: <mark>&lt;service id&gt;</mark>');
  const nobody = await world.browser().html(DOCS);
  expect([nobody.status, nobody.headers.location]).toEqual([
    303,
    '/settings/sign-in?next=%2Fsettings%2Fapi%2Fdocs',
  ]);
});

it('is small: with all that it needs under 100 KB', async () => {
  const cookie = `frontdesk=${browser.jar.get('frontdesk')}`;
  const headers = { cookie, accept: 'text/html', 'accept-encoding': 'br' };
  const { rawPayload } = await world.settings.api.inject({ url: DOCS, headers });
  expect(rawPayload.length).toBeLessThan(50_000);
});
