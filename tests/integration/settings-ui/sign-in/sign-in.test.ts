import type { Tenant } from '@frontdesk/contracts';
import { eventually } from '../../../support/index.ts';
import { operator } from '../../gateway/gateway-world.ts';
import type { Browser } from '../inject-browser.ts';
import { PASSWORD, type SettingsWorld, startSettingsWorld } from '../settings-world.ts';

let world: SettingsWorld;
beforeAll(async () => {
  world = await startSettingsWorld();
});
afterAll(() => world.stop());

describe('signing in', () => {
  const HOME = '/settings';

  describe('signing in', () => {
    it('answers JSON clients a cookie and a token; the email’s case is not meant', async () => {
      const { email } = await world.newAdmin();
      const browser = world.browser();
      const answer = await browser.signIn(email.toUpperCase(), PASSWORD);
      expect(answer).toMatchObject({
        status: 200,
        body: { success: true, data: { csrf_token: expect.any(String) } },
      });
      expect(answer.cookies).toEqual(
        ['frontdesk', 'frontdesk-known-device'].map((name) =>
          expect.objectContaining({ name, httpOnly: true, sameSite: 'Lax', path: '/' }),
        ),
      );
      expect((await browser.json('GET', HOME)).status).toBe(200);
    });

    it('takes browsers to the page that they wanted, and to no other site', async () => {
      const { email } = await world.newAdmin();
      const browser = world.browser();
      const turnedAway = await browser.html('/settings/audit');
      expect([turnedAway.status, turnedAway.headers.location]).toEqual([
        303,
        '/settings/sign-in?next=%2Fsettings%2Faudit',
      ]);
      const fields = { email, password: PASSWORD };
      const answer = await browser.form('/settings/sign-in', { ...fields, next: '/settings/audit' });
      expect([answer.status, answer.headers.location]).toEqual([303, '/settings/audit']);
      for (const next of [
        'https://evil.example',
        '//evil.example',
        '/settings/../evil',
        '/settings/api@evil',
      ]) {
        const elsewhere = await world.browser().form('/settings/sign-in', { ...fields, next });
        expect(elsewhere.headers.location).toBe(HOME);
      }
    });

    it('401, alike for a wrong password and an unknown email; the page keeps the email', async () => {
      const { email } = await world.newAdmin();
      const wrong = await world.browser().signIn(email, 'not my password');
      const unknown = await world.browser().signIn('nobody@salon.example', PASSWORD);
      const { request_id: _first, ...of } = wrong.body;
      expect(of).toMatchObject({ success: false, code: 'unauthorized' });
      expect(unknown.body).toMatchObject(of);
      expect([wrong.status, unknown.status]).toEqual([401, 401]);
      expect(wrong.cookies).toEqual([]);

      const page = await world.browser().form('/settings/sign-in', { email, password: 'not my password' });
      expect(page.status).toBe(401);
      expect(page.page).toContain(`value="${email}"`);
      expect(page.page).toContain('role="alert"');
      expect(page.page).not.toContain('not my password');
    });

    it('begins a new session each time and ends the one before', async () => {
      const { browser, email } = await world.signedIn();
      const before = new Map(browser.jar);
      await browser.signIn(email, PASSWORD);
      expect(browser.jar.get('frontdesk')).not.toBe(before.get('frontdesk'));
      const old = world.browser();
      old.jar.set('frontdesk', before.get('frontdesk') ?? '');
      expect((await old.json('GET', HOME)).status).toBe(401);
    });

    it('403 for a form that another site sends', async () => {
      const { email } = await world.newAdmin();
      const fields = { email, password: PASSWORD };
      for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
        const answer = await world.browser().form('/settings/sign-in', fields, headers);
        expect([answer.status, answer.headers['set-cookie']]).toEqual([403, undefined]);
      }
    });

    it('sends cookies over https alone where the pages are reached by it', async () => {
      const on = await world.startSettings({ SETTINGS_URL: 'https://settings.example.com' });
      const { email } = await world.newAdmin();
      const answer = await world.browser(on).signIn(email, PASSWORD);
      expect(answer.cookies).toEqual(
        ['__Host-frontdesk', '__Host-frontdesk-known-device'].map((name) =>
          expect.objectContaining({ name, secure: true }),
        ),
      );
      expect(answer.headers['strict-transport-security']).toContain('max-age=');
    });
  });

  describe('without a session', () => {
    it('every page and form leads to the sign-in', async () => {
      const browser = world.browser();
      const answers = [
        await browser.html(HOME),
        await browser.form('/settings/api/keys', { name: 'X' }),
        await browser.form('/settings/api/webhooks/1/pause', {}),
        await browser.form('/settings/account/password', {}),
      ];
      for (const { status, headers } of answers)
        expect([status, headers.location]).toEqual([303, '/settings/sign-in']);
    });
  });

  describe('signing out', () => {
    it('ends the session, not only the cookie', async () => {
      const { browser } = await world.signedIn();
      const cookie = browser.jar.get('frontdesk') ?? '';
      const answer = await browser.form('/settings/sign-out', {});
      expect([answer.status, answer.headers.location]).toEqual([303, '/settings/sign-in?done=signed-out']);
      expect(browser.jar.has('frontdesk')).toBe(false);
      browser.jar.set('frontdesk', cookie);
      expect((await browser.json('GET', HOME)).status).toBe(401);
    });
  });
});

describe('while a business is suspended', () => {
  const BANNER = 'This business is suspended.';
  const FORM_OF_A_CHANGE = /<form\b[^>]*method="post"[^>]*>(?:(?!<\/form>)[\s\S])*/g;

  const setStatus = (tenantId: number, status: Tenant['status']) =>
    world.gatewayWorld.internal(world.gateway, operator, 'PATCH', `/internal/tenants/${tenantId}`, {
      status,
    });

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

  const below = (path: string) => `/settings/${path}`;
  /** Every route by which something is changed, apart from those for people who are not signed in. */
  function routesOfChanges(): { method: 'POST' | 'PATCH' | 'DELETE'; url: string }[] {
    const lines = world.settings.api.printRoutes({ commonPrefix: false }).split('\n');
    const open: string[] = [];
    return lines.flatMap((line) => {
      const [, indent = '', path = '', methods = ''] =
        /^([│ ]*)[├└]── (\S*)(?: \(([^)]*)\))?/.exec(line) ?? [];
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

  const FOR_EVERYBODY = ['sign-in', 'sign-in/business', 'forgot', 'reset', 'address', 'invitation'].map(
    below,
  );
  const OWN = [
    ...['sign-out', 'switch-business', 'confirm', 'account/password', 'account/email'],
    ...['account/sessions/1/end', 'account/sessions/end-others'],
  ].map(below);

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
        const isOwn = form.includes(`action="${below('account/')}`) || form.includes(`action="${OWN[0]}"`);
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
