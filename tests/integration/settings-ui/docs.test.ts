import { CANONICAL_EVENTS, EXAMPLES, OPERATIONS } from '@frontdesk/contracts';
import { startReceiver } from '../../support/index.ts';
import type { Browser } from './inject-browser.ts';
import { PUBLIC_URL, type SettingsWorld, startSettingsWorld } from './settings-world.ts';

const DOCS = '/settings/api/docs';
const ACTIVE = { is_active: true, coming_appointments: 0 };
const SERVICE = { ...EXAMPLES.service, ...ACTIVE, buffer_before_minutes: 0, buffer_after_minutes: 0 };
const ANNA = { name: 'Anna', specialties: [], ...ACTIVE };

let world: SettingsWorld;
let browser: Browser;
beforeAll(async () => {
  world = await startSettingsWorld();
  ({ browser } = await world.signedIn());
});
afterAll(() => world.stop());

it('tells of every operation and every event, and each link on the page leads somewhere', async () => {
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
  expect(page).toMatch(/<code>per_page<\/code>[\s\S]*?Anything above 100 counts as 100\. Default 20\./);
  expect(page).toContain('One of lead, active, inactive, vip.');
  expect(page).toContain('409 <a href="#errors">slot_unavailable</a>');
});

it('names a service, a member of staff and a key of the tenant’s own in its examples, never a key itself', async () => {
  const scheduling = await startReceiver();
  scheduling.respondWith(({ path }) => {
    const data = path.endsWith('/services')
      ? [
          { ...SERVICE, id: 70, is_active: false },
          { ...SERVICE, id: 71 },
        ]
      : [
          { ...ANNA, id: 79, is_active: false, service_ids: [71] },
          { ...ANNA, id: 80, service_ids: [70] },
          { ...ANNA, id: 81, service_ids: [70, 71] },
        ];
    return { status: 200, body: JSON.stringify({ success: true, data }) };
  });
  const on = await world.startSettings({ SCHEDULING_INTERNAL_URL: scheduling.url });
  const own = (await world.signedIn({ on })).browser;
  const made = await own.json('POST', '/settings/api/keys', { name: '<b>Web</b> {{date}}' });
  const { page } = await own.html(DOCS);
  expect(page).toContain('&quot;service_id&quot;: 71, &quot;staff_id&quot;: 81');
  expect(page).toContain(`${PUBLIC_URL}/api/v1/staff/81`);
  expect(page).toContain('&lt;b&gt;Web&lt;/b&gt;');
  expect(page).not.toContain(made.body.data.key);
  await scheduling.close();
});

it('stands without the other services, and asks who reads it to sign in', async () => {
  const { page } = await browser.html(DOCS);
  expect(page).toContain('&quot;service_id&quot;: SERVICE_ID');
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
