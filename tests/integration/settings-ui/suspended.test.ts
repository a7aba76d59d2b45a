import type { Tenant } from '@frontdesk/contracts';
import { eventually } from '../../support/index.ts';
import { operator } from '../gateway/gateway-world.ts';
import type { Browser } from './inject-browser.ts';
import { PASSWORD, type SettingsWorld, startSettingsWorld } from './settings-world.ts';

let world: SettingsWorld;
beforeAll(async () => {
  world = await startSettingsWorld();
});
afterAll(() => world.stop());

const BANNER = 'This business is suspended.';
const FORM_OF_A_CHANGE = /<form\b[^>]*method="post"[^>]*>(?:(?!<\/form>)[\s\S])*/g;

const setStatus = (tenantId: number, status: Tenant['status']) =>
  world.gatewayWorld.internal(world.gateway, operator, 'PATCH', `/internal/tenants/${tenantId}`, { status });

const shows = (browser: Browser, isSuspended: boolean) =>
  eventually(async () => {
    const { page } = await browser.html('/settings/people');
    expect(page.includes(BANNER)).toBe(isSuspended);
  });

async function suspendedAdmin() {
  const admin = await world.signedIn();
  await setStatus(admin.tenantId, 'suspended');
  await shows(admin.browser, true);
  return admin;
}

/** Every route by which something is changed, apart from those for people who are not signed in. */
function routesOfChanges(): { method: 'POST' | 'PATCH' | 'DELETE'; url: string }[] {
  const lines = world.settings.api.printRoutes({ commonPrefix: false }).split('\n');
  const open: string[] = [];
  return lines.flatMap((line) => {
    const [, indent = '', path = '', methods = ''] = /^([│ ]*)[├└]── (\S*)(?: \(([^)]*)\))?/.exec(line) ?? [];
    open.length = indent.length / 4;
    open.push(path);
    const url = open
      .join('')
      .replaceAll(/:[a-z_]+/g, '1')
      .replaceAll('/date', '/2030-01-01');
    return methods
      .split(', ')
      .filter((method): method is 'POST' | 'PATCH' | 'DELETE' => /^(POST|PATCH|PUT|DELETE)$/.test(method))
      .map((method) => ({ method, url }));
  });
}

const FOR_EVERYBODY = ['/settings/sign-in', '/settings/reset', '/settings/invitation'];
const OWN = ['/settings/sign-out', '/settings/account/password'];

describe('while a business is suspended', () => {
  it('its admins sign in and see everything; each page says so, and offers no change', async () => {
    const { email } = await suspendedAdmin();
    const browser = world.browser();
    expect((await browser.signIn(email, PASSWORD)).status).toBe(200);
    for (const url of [
      ...[
        '/settings',
        '/settings/calendar',
        '/settings/customers',
        '/settings/customers/new',
        '/settings/calls',
        '/settings/business',
        '/settings/api',
      ],
      ...['/settings/people', '/settings/audit', '/settings/account', '/settings/api/docs'],
    ]) {
      const { status, page } = await browser.html(url);
      expect([url, status]).toEqual([url, 200]);
      expect(page).toContain(BANNER);
      expect(page).not.toContain('show-modal');
      for (const [form] of page.matchAll(FORM_OF_A_CHANGE)) {
        const isOwn = OWN.some((path) => form.includes(`action="${path}"`));
        expect([url, isOwn || form.includes('<fieldset class="switched-off" disabled>')]).toEqual([
          url,
          true,
        ]);
      }
    }
    const { page } = await browser.html('/settings/people');
    expect(page).toContain('name="email"');
  });

  it('403 for every change, in the form accepted', async () => {
    const { browser } = await suspendedAdmin();
    const routes = routesOfChanges().filter(({ url }) => ![...FOR_EVERYBODY, ...OWN].includes(url));
    expect(routes.length).toBeGreaterThan(40);
    for (const { method, url } of routes) {
      const { status, body } = await browser.json(method, url, method === 'DELETE' ? undefined : {});
      expect([method, url, status, body.code]).toEqual([method, url, 403, 'tenant_suspended']);
    }
    const form = await browser.form('/settings/people/invitations', { email: 'guest@salon.example' });
    expect(form.status).toBe(403);
    expect(form.page).toContain('Nothing can be changed until it is active again.');
    expect(form.page).toContain('value="guest@salon.example"');
  });

  it('its admins change their own password and sign out', async () => {
    const { browser } = await suspendedAdmin();
    const next = { current_password: PASSWORD, new_password: 'four loud herons' };
    expect((await browser.json('POST', '/settings/account/password', next)).status).toBe(200);
    const page = await browser.html('/settings/account');
    const [, token = ''] = /name="_csrf" value="([^"]+)"/.exec(page.page) ?? [];
    const out = await browser.form('/settings/sign-out', { _csrf: token });
    expect([out.status, out.headers.location]).toEqual([303, '/settings/sign-in?done=signed-out']);
  });

  it('other businesses change what they like, and so does this one once it is active again', async () => {
    const { browser, tenantId } = await suspendedAdmin();
    const other = await world.signedIn();
    const create = (by: Browser) => by.json('POST', '/settings/api/keys', { name: 'Website' });
    expect([(await create(browser)).status, (await create(other.browser)).status]).toEqual([403, 201]);
    await setStatus(tenantId, 'active');
    await shows(browser, false);
    expect((await create(browser)).status).toBe(201);
  });
});
