import { PASSWORD, type SettingsWorld, startSettingsWorld } from './settings-world.ts';

let world: SettingsWorld;
beforeAll(async () => {
  world = await startSettingsWorld();
});
afterAll(() => world.stop());

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
      ['frontdesk', 'frontdesk-device'].map((name) =>
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
      ['__Host-frontdesk', '__Host-frontdesk-device'].map((name) =>
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
