import { createSecretBox, loadSecretKeys } from '@frontdesk/service';
import { Redis } from 'ioredis';
import { createSessions, MOST_SESSIONS } from '../../../../services/settings-ui/src/session/session-store.ts';
import { engines, eventually, identityKeys } from '../../../support/index.ts';
import { operator } from '../../gateway/gateway-world.ts';
import type { Browser } from '../inject-browser.ts';
import { ended, liveMarkups, until, withoutAge } from '../live-markups.ts';
import { hashOf, storedSession } from '../session-of.ts';
import { PASSWORD, type SettingsWorld, startSettingsWorld } from '../settings-world.ts';

let world: SettingsWorld;
const redis = new Redis(engines().redisUrl, { lazyConnect: true });
beforeAll(async () => {
  world = await startSettingsWorld();
});
beforeEach(withoutAge);
afterEach(() => jest.restoreAllMocks());
afterAll(async () => {
  redis.disconnect();
  await world.stop();
});

const ACCOUNT = '/settings/account';
const SESSIONS = `${ACCOUNT}/sessions`;
const HOME = '/settings/people';
const HOUR_MS = 3_600_000;
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

interface Listed {
  id: string;
  device: string;
  network: string | null;
  started_at: string;
  last_used_at: string;
  business: string | null;
  is_current: boolean;
}

const tokenOf = ({ jar }: Browser) => jar.get('frontdesk') ?? '';
const idOf = (browser: Browser) => hashOf(tokenOf(browser));
const isIn = async (browser: Browser) => (await browser.json('GET', HOME)).status === 200;
const sessionsOf = async (browser: Browser): Promise<Listed[]> =>
  (await browser.json('GET', SESSIONS)).body.data;
const idsOf = async (browser: Browser) => (await sessionsOf(browser)).map(({ id }) => id);
const end = (browser: Browser, id: string) => browser.json('POST', `${SESSIONS}/${id}/end`, {});
const endOthers = (browser: Browser) => browser.json('POST', `${SESSIONS}/end-others`, {});

/** One more browser of an account. */
async function another(
  email: string,
  { address, on }: { address?: string; on?: SettingsWorld['settings'] } = {},
) {
  const browser = world.browser(on, address);
  expect((await browser.signIn(email, PASSWORD)).status).toBe(200);
  return browser;
}

async function signInWith(email: string, userAgent: string, address: string) {
  const browser = world.browser(world.settings, address);
  const headers = { accept: 'application/json', 'content-type': 'application/json', 'user-agent': userAgent };
  const body = JSON.stringify({ email, password: PASSWORD });
  expect((await browser.send('POST', '/settings/sign-in', headers, body)).statusCode).toBe(200);
  return browser;
}

describe('the list of sessions', () => {
  it('says of each its browser, its network, its business and its last use, this one first', async () => {
    const { browser, email } = await world.signedIn();
    const other = await signInWith(email, FIREFOX, '203.0.113.77');
    const key = `settings:session:${idOf(other)}`;
    await redis.pexpire(key, 11 * HOUR_MS);
    const six = await signInWith(email, '<script>alert(1)</script>/1 (x', '2001:db8:1:2::3');
    const listed = await sessionsOf(browser);
    const instant = expect.stringMatching(/^\d{4}-.*Z$/);
    const shared = { business: expect.any(String), started_at: instant, last_used_at: instant };
    expect(listed).toEqual([
      {
        ...shared,
        id: idOf(browser),
        device: 'Unknown device',
        network: expect.stringMatching(/^10\..*\.0\/24$/),
        is_current: true,
      },
      { ...shared, id: idOf(six), device: 'Unknown device', network: '2001:db8:1::/48', is_current: false },
      {
        ...shared,
        id: idOf(other),
        device: 'Firefox on Linux',
        network: '203.0.113.0/24',
        is_current: false,
      },
    ]);
    const idleMs = Date.now() - Date.parse(listed[2]?.last_used_at ?? '');
    expect([idleMs >= HOUR_MS, idleMs < 1.5 * HOUR_MS]).toEqual([true, true]);
    // Looking at the list is no use of another session.
    expect(await redis.pttl(key)).toBeLessThanOrEqual(11 * HOUR_MS);

    const { status, page } = await browser.html(ACCOUNT);
    expect(status).toBe(200);
    expect(page).toContain('Firefox on Linux');
    expect(page).toContain(`action="${SESSIONS}/${idOf(other)}/end"`);
    expect(page).not.toContain(`action="${SESSIONS}/${idOf(browser)}/end"`);
    expect(page).not.toContain('<script>alert');
    const led = await browser.html(SESSIONS);
    expect([led.status, led.headers.location]).toEqual([303, `${ACCOUNT}#sessions`]);
  });

  it('forgets what has ended, by signing out or by itself', async () => {
    const { browser, email } = await world.signedIn();
    const [out, over, old] = [await another(email), await another(email), await another(email)];
    const { session, replace } = await storedSession(redis, tokenOf(old));
    await out.json('POST', '/settings/sign-out', {});
    await redis.del(`settings:session:${idOf(over)}`);
    await replace({ ...session, startedAt: Date.now() - 30 * 24 * HOUR_MS });
    expect(await idsOf(browser)).toEqual([idOf(browser)]);
    expect(await redis.zrange(`settings:sessions:${session.accountId}`, 0, -1)).toEqual([idOf(browser)]);
    expect(await isIn(old)).toBe(false);
  });

  it('holds 200: with one more, the oldest ends', async () => {
    const { browser, email } = await world.signedIn();
    const { session } = await storedSession(redis, tokenOf(browser));
    const secrets = createSecretBox(await loadSecretKeys(identityKeys().secretKeysFile));
    const sessions = createSessions(redis, secrets);
    for (let i = 1; i < MOST_SESSIONS; i += 1)
      await sessions.begin({ ...session, accountId: session.accountId ?? 0 });
    expect(await sessionsOf(browser)).toHaveLength(MOST_SESSIONS);
    expect(await isIn(browser)).toBe(true);
    const last = await another(email);
    expect(await isIn(browser)).toBe(false);
    expect(await sessionsOf(last)).toHaveLength(MOST_SESSIONS);
  });

  it('shows one of 0.1.0 from its next use on', async () => {
    const { browser, email } = await world.signedIn();
    const older = await another(email);
    const { session, replace } = await storedSession(redis, tokenOf(older));
    const { tenantId, adminId, credentialsVersion, csrfSecret, startedAt, accountId } = session;
    await replace({ tenantId, adminId, credentialsVersion, csrfSecret, startedAt });
    await redis.zrem(`settings:sessions:${accountId}`, idOf(older));
    expect(await idsOf(browser)).toEqual([idOf(browser)]);
    expect(await isIn(older)).toBe(true);
    const listed = await sessionsOf(browser);
    expect(listed.find(({ id }) => id === idOf(older))).toMatchObject({
      device: 'Unknown device',
      network: null,
    });
    expect((await end(browser, idOf(older))).status).toBe(200);
    expect(await isIn(older)).toBe(false);
  });
});

describe('ending one session', () => {
  it('is over at once, also in another process; its stream ends', async () => {
    const { browser, email, tenantId } = await world.signedIn();
    const on = await world.startSettings();
    const other = await another(email, { on });
    const stream = await liveMarkups(on, other, '/settings/api/deliveries/live');
    await until(stream, /./);
    const { status, body } = await end(browser, idOf(other));
    expect([status, body.data]).toEqual([200, { id: idOf(other), ended: true }]);
    await ended(stream);
    expect([await isIn(other), await isIn(browser)]).toEqual([false, true]);
    expect((await end(browser, idOf(other))).status).toBe(404);
    const colleague = await world.signedIn({ tenantId });
    expect((await colleague.browser.html('/settings/audit')).page).toContain('Ended a session');
  });

  it('by a form, with a notice; and only with the token', async () => {
    const { browser, email } = await world.signedIn();
    const other = await another(email);
    const url = `${SESSIONS}/${idOf(other)}/end`;
    expect((await browser.form(url, { _csrf: 'wrong' })).status).toBe(403);
    expect(await isIn(other)).toBe(true);
    const { status, headers } = await browser.form(url, {});
    expect([status, headers.location]).toEqual([303, `${ACCOUNT}?done=session-ended#sessions`]);
    expect(await isIn(other)).toBe(false);
  });

  it('404 for one of another account, and for whatever is none', async () => {
    const { browser, tenantId } = await world.signedIn();
    const { browser: colleague } = await world.signedIn({ tenantId });
    for (const id of [idOf(colleague), 'x', '1', '__proto__', '%00', '💈', 'a'.repeat(2_000)]) {
      const { status } = await end(browser, id === '%00' ? id : encodeURIComponent(id));
      expect([id, status]).toEqual([id, 404]);
    }
    expect(await isIn(colleague)).toBe(true);
  });

  it('404 for one that somebody has written into the list of this account', async () => {
    const { browser } = await world.signedIn();
    const { browser: stranger } = await world.signedIn();
    const { session } = await storedSession(redis, tokenOf(browser));
    await redis.zadd(`settings:sessions:${session.accountId}`, Date.now(), idOf(stranger));
    expect(await idsOf(browser)).toEqual([idOf(browser)]);
    expect((await end(browser, idOf(stranger))).status).toBe(404);
    expect(await isIn(stranger)).toBe(true);
  });
});

describe('signing out everywhere else', () => {
  it('keeps this browser in, with a new session, and every other one out', async () => {
    const { browser, email } = await world.signedIn();
    const on = await world.startSettings();
    const other = await another(email, { on });
    const stream = await liveMarkups(on, other, '/settings/api/deliveries/live');
    await until(stream, /./);
    const before = tokenOf(browser);
    const { status, body } = await endOthers(browser);
    expect([status, body.data]).toEqual([200, { csrf_token: expect.any(String) }]);
    await ended(stream);
    expect([await isIn(other), await isIn(browser)]).toEqual([false, true]);
    const thief = world.browser();
    thief.jar.set('frontdesk', before);
    expect(await isIn(thief)).toBe(false);
    expect(await idsOf(browser)).toEqual([idOf(browser)]);
    const stale = await browser.json('POST', '/settings/api/keys', { name: 'Stale' });
    expect([stale.status, stale.body.code]).toEqual([403, 'csrf_failed']);
    const fresh = await browser.json('POST', '/settings/api/keys', { name: 'New' }, body.data.csrf_token);
    expect(fresh.status).toBe(201);
  });

  it('ends one of 0.1.0, and a sign-in that waits for a business', async () => {
    const { browser, email, tenantId } = await world.signedIn();
    const older = await another(email);
    const { session, replace } = await storedSession(redis, tokenOf(older));
    const { adminId, credentialsVersion, csrfSecret, startedAt } = session;
    await replace({ tenantId, adminId, credentialsVersion, csrfSecret, startedAt });
    await redis.zrem(`settings:sessions:${session.accountId}`, idOf(older));
    await world.join(email);
    const pending = world.browser();
    expect((await pending.signIn(email, PASSWORD)).body.code).toBe('business_required');
    expect((await endOthers(browser)).status).toBe(200);
    expect(await isIn(older)).toBe(false);
    const choice = { business_id: tenantId };
    expect((await pending.json('POST', '/settings/sign-in/business', choice)).status).toBe(401);
  });

  it('of two browsers at once one stays', async () => {
    const { browser, email } = await world.signedIn();
    const other = await another(email);
    const answers = await Promise.all([browser, other].map(endOthers));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
    const stays = await Promise.all([browser, other].map(isIn));
    expect(stays.filter(Boolean)).toHaveLength(1);
  });

  it('goes on from when the password was last shown, and when the sign-in was', async () => {
    const { browser } = await world.signedIn();
    const { session, replace } = await storedSession(redis, tokenOf(browser));
    const [startedAt, confirmedAt] = [session.startedAt - HOUR_MS, session.startedAt - HOUR_MS / 2];
    await replace({ ...session, startedAt, confirmedAt });
    await endOthers(browser);
    const { session: next } = await storedSession(redis, tokenOf(browser));
    expect(next).toMatchObject({ startedAt, confirmedAt });
  });
});

it('who belongs to a suspended business ends sessions too', async () => {
  const { browser, email, tenantId } = await world.signedIn();
  const other = await another(email);
  await world.gatewayWorld.internal(world.gateway, operator, 'PATCH', `/internal/tenants/${tenantId}`, {
    status: 'suspended',
  });
  await eventually(async () =>
    expect((await browser.html('/settings')).page).toContain('This business is suspended.'),
  );
  expect((await browser.html(ACCOUNT)).page).toMatch(/action="[^"]*\/end"[^>]*>(?!<fieldset)/);
  expect((await end(browser, idOf(other))).status).toBe(200);
  expect((await endOthers(browser)).status).toBe(200);
});

it('another business of the account opens in a session of its own, in place of the one before', async () => {
  const { email, tenantId } = await world.newAdmin();
  const second = await world.join(email);
  const browser = world.browser();
  await browser.signIn(email, PASSWORD);
  const chosen = await browser.json('POST', '/settings/sign-in/business', { business_id: tenantId });
  const before = idOf(browser);
  const { csrf_token } = chosen.body.data;
  await browser.json('POST', '/settings/switch-business', { business_id: second }, csrf_token);
  const ids = await idsOf(browser);
  expect([ids, ids.includes(before)]).toEqual([[idOf(browser)], false]);
});
