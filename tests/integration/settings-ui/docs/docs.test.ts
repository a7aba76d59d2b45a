import { CANONICAL_EVENTS, EXAMPLES, OPERATIONS } from '@frontdesk/contracts';
import { createPages } from '@frontdesk/reference';
import { startReceiver } from '../../../support/index.ts';
import type { Browser } from '../inject-browser.ts';
import { PUBLIC_URL, type SettingsWorld, startSettingsWorld } from '../settings-world.ts';

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

it('has every page of the documentation, and each link on it leads somewhere', async () => {
  const pages = new Map<string, string>();
  const pageAt = async (path: string) => {
    const known = pages.get(path) ?? (await browser.html(path)).page;
    pages.set(path, known);
    return known;
  };
  for (const { path, title } of createPages()) {
    const from = path === 'index' ? DOCS : `${DOCS}/${path}`;
    const page = await pageAt(from);
    expect(page).toContain(`<h1>${title}</h1>`);
    expect(page).not.toMatch(/\{\{\w+\}\}|undefined|\[object|NaN/);
    for (const [, href = ''] of page.matchAll(/href="((?:\/settings\/api\/docs|#)[^"]*)"/g)) {
      const [address, anchor] = href.split('#');
      const target = await pageAt(address || from);
      expect([from, href, target.includes('<h1>Not found</h1>')]).toEqual([from, href, false]);
      if (anchor) expect(target).toContain(` id="${anchor}"`);
    }
  }
  const start = await pageAt(DOCS);
  expect(start).toContain(`${PUBLIC_URL}/openapi.json`);
  expect(start).toContain(`${PUBLIC_URL}/docs/console`);
  for (const { method, path } of OPERATIONS) expect(start).toContain(`${method} <code>${path}</code>`);
  for (const event of CANONICAL_EVENTS) expect(start).toContain(`<code>${event}</code>`);
  expect((await browser.html(`${DOCS}/nothing`)).status).toBe(404);
});

it('says what may stand in a field, and whether it is required', async () => {
  const { page } = await browser.html(`${DOCS}/operations/create-customer`);
  expect(page).toMatch(
    /<code>phone<\/code><\/span><\/th>\s*<td data-label="Type"><span>string <strong>required/,
  );
  expect(page).toContain('One of lead, active, inactive, vip.');
  const { page: list } = await browser.html(`${DOCS}/operations/list-customers`);
  expect(list).toMatch(
    /<code>per_page<\/code>[\s\S]*?Anything above 100 counts as 100\. At least 1, default 20\./,
  );
  const { page: booking } = await browser.html(`${DOCS}/operations/create-appointment`);
  expect(booking).toContain(
    `409 <a href="${DOCS}/errors/slot_unavailable"><code>slot_unavailable</code></a>`,
  );
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
      SCHEDULING_INTERNAL_URL: scheduling.url,
      CRM_INTERNAL_URL: scheduling.url,
      CALLS_INTERNAL_URL: scheduling.url,
    });
    const { browser: own } = await world.signedIn({ on });
    return { own, page: (path: string) => own.html(`${DOCS}/${path}`).then(({ page }) => page) };
  }

  const operationOf = (title: string) => `operations/${OPERATIONS.find((one) => one.title === title)?.id}`;

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
      calls: [{ ...EXAMPLES.call, id: 84, source_id: 1, called_back: null }],
    });
    const made = await own.json('POST', '/settings/api/keys', { name: '<b>Web</b> {{date}}' });
    const exampleOf = async (title: string) => copied(await page(operationOf(title)), title);
    expect(await exampleOf('Book an appointment')).toContain(
      '&quot;service_id&quot;: 71, &quot;staff_id&quot;: 81, &quot;appointment_date&quot;: &quot;2026-03-09&quot;, &quot;appointment_time&quot;: &quot;10:00&quot;',
    );
    expect(await exampleOf('Change an appointment')).toContain(
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
      expect([title, await exampleOf(title ?? '')]).toEqual([
        title,
        expect.stringContaining(`&#39;${PUBLIC_URL}/api/v1/${path}&#39;`),
      ]);
    const shown = await page('first-request');
    expect(shown).toContain('“&lt;b&gt;Web&lt;/b&gt; {{date}}”');
    expect(shown).not.toContain(made.body.data.key);
  });

  it('can’t be copied where the business lacks what they name, and say what to do', async () => {
    const { page } = await pageWith({ services: [{ ...SERVICE, id: 71 }] });
    const service = await page('operations/get-service');
    expect(copied(service, 'Get a service')).toContain('services/71');
    for (const [title, cure] of [
      ['Book an appointment', '/settings/business/opening-hours'],
      ['Cancel an appointment', '/settings/business/opening-hours'],
      ['Get an appointment', `${DOCS}/operations/create-appointment`],
      ['Get a customer', `${DOCS}/operations/create-customer`],
      ['Get a call', '/settings/calls/sources'],
      ['Get a staff member', '/settings/business/staff/new'],
    ] as const) {
      const shown = await page(operationOf(title));
      expect([title, copied(shown, title)]).toEqual([title, undefined]);
      const [example] = shown.split('</pre>');
      expect([title, example]).toEqual([title, expect.stringContaining(`href="${cure}"`)]);
    }
    expect(await page('operations/get-call')).toContain('<mark>&lt;call id&gt;</mark>');
  });
});

it('names only a key that can be used, and says nothing of keys to who may not see them', async () => {
  const { browser: owner, tenantId } = await world.signedIn();
  const shown = async (by: Browser) => (await by.html(`${DOCS}/first-request`)).page;
  const made = await owner.json('POST', '/settings/api/keys', { name: 'Website' });
  expect(await shown(owner)).toContain('“Website”');
  // The earlier key ends at once; the other one is taken back.
  const rolled = await owner.json('POST', `/settings/api/keys/${made.body.data.id}/roll`, { hours: 0 });
  await owner.json('POST', `/settings/api/keys/${rolled.body.data.id}/revoke`, {});
  expect(await shown(owner)).toMatch(/You have no key yet: <a href="\/settings\/api#keys">create one/);
  for (const role of ['manager', 'receptionist', 'viewer'] as const) {
    const { browser: other } = await world.signedIn({ tenantId, role });
    const pages = [await shown(other), (await other.html(`${DOCS}/webhooks`)).page];
    for (const page of pages) expect(page).not.toMatch(/You have no key|href="\/settings\/api["#]/);
  }
  expect((await owner.html(`${DOCS}/webhooks`)).page).toContain('href="/settings/api#webhooks"');
});

it('stands without the other services, and asks who reads it to sign in', async () => {
  const { page } = await browser.html(`${DOCS}/operations/create-appointment`);
  expect(page).toContain('The values in brackets can’t be loaded right now.');
  expect(page).toContain('&quot;service_id&quot;: <mark>&lt;service id&gt;</mark>');
  const nobody = await world.browser().html(DOCS);
  expect([nobody.status, nobody.headers.location]).toEqual([
    303,
    '/settings/sign-in?next=%2Fsettings%2Fapi%2Fdocs',
  ]);
});

it('is small: no page is longer than 15 KB on its way', async () => {
  const cookie = `frontdesk=${browser.jar.get('frontdesk')}`;
  const headers = { cookie, accept: 'text/html', 'accept-encoding': 'br' };
  for (const path of ['', '/calls', '/webhooks', '/operations/create-appointment']) {
    const { rawPayload } = await world.settings.api.inject({ url: DOCS + path, headers });
    expect([path, rawPayload.length < 15_000]).toEqual([path, true]);
  }
});
