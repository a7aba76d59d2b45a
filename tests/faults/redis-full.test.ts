import { AppError, createSecretBox, loadSecretKeys } from '@frontdesk/service';
import { Redis } from 'ioredis';
import { findMember } from '../../services/settings-ui/src/accounts/membership.repository.ts';
import { createMailLimits } from '../../services/settings-ui/src/mail/mail-limits.ts';
import { createPasswordHasher } from '../../services/settings-ui/src/passwords/password-hasher.ts';
import { createSessions } from '../../services/settings-ui/src/session/session-store.ts';
import { changePassword } from '../../services/settings-ui/src/sign-in/change-password.ts';
import { createSignInAttempts } from '../../services/settings-ui/src/sign-in/sign-in-attempts.ts';
import { adminOf, bearer, type Gateway, get, REDIS_MAY_GO } from '../integration/gateway/gateway-world.ts';
import { tokenIn } from '../integration/settings-ui/form-fields.ts';
import { quickDerive } from '../integration/settings-ui/quick-derive.ts';
import {
  PASSWORD,
  type SettingsWorld,
  startSettingsWorld,
} from '../integration/settings-ui/settings-world.ts';
import { engines, eventually, identityKeys, withinOneWindow } from '../support/index.ts';
import { startOwnRedis } from '../support/own-redis.ts';

const PATH = '/api/v1/customers';
const PEOPLE = '/settings/people';
const INVITATIONS = `${PEOPLE}/invitations`;
const FULL = 'Signing in and some forms don’t work right now';
const HOUR_SECONDS = 3_600;
const MINUTE_SECONDS = 60;

let own: Awaited<ReturnType<typeof startOwnRedis>>;
let world: SettingsWorld;
let gateway: Gateway;
beforeAll(async () => {
  own = await startOwnRedis('full');
  world = await startSettingsWorld();
  gateway = await world.gatewayWorld.startGateway({
    REDIS_URL: own.url,
    ...REDIS_MAY_GO,
    GATEWAY_REPLICAS: '3',
  });
});
afterEach(() => own.clear());
afterAll(async () => {
  await world.stop();
  await own.stop();
});

const ask = (key: string) => get(gateway, PATH, bearer(key));

describe('a Redis that refuses writes for lack of memory', () => {
  it('leaves the API its limits: each gateway counts by itself, says so, and loses no count', () =>
    withinOneWindow(HOUR_SECONDS, async () => {
      await own.clear();
      const { tenantId, key } = await world.gatewayWorld.newCaller(gateway, { plan: 'starter' });
      const scope = async () => (await ask(key)).headers.get('x-ratelimit-scope');
      expect(await scope()).toBeNull();
      await own.fill();
      const answers = await Promise.all(Array.from({ length: 15 }, () => ask(key)));
      expect(answers.map(({ headers }) => headers.get('x-ratelimit-scope'))).toEqual(Array(15).fill('local'));
      // A third of the plan's 30.
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(5);
      const usage = `/internal/tenants/${tenantId}/usage`;
      expect((await world.gatewayWorld.internal(gateway, adminOf(tenantId), 'GET', usage)).status).toBe(200);
      const statistics = async () => {
        const path = `/internal/tenants/${tenantId}/statistics/requests`;
        const { status, body } = await world.gatewayWorld.internal(gateway, adminOf(tenantId), 'GET', path);
        const { allowed = 0, denied = 0 } = body.data?.hours.at(-1) ?? {};
        return [status, allowed + denied];
      };

      await own.clear();
      await eventually(async () => expect(await statistics()).toEqual([200, 16]));
      await eventually(async () => expect(await scope()).toBeNull());
    }));

  it('shows in the gateway’s metrics', async () => {
    await own.fill();
    const memory = async () => {
      const text = await (await fetch(`${gateway.internalUrl}/metrics`)).text();
      return ['redis_used_bytes', 'redis_max_bytes'].map((name) =>
        Number(new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1]),
      );
    };
    const [used = 0, most = 0] = await memory();
    expect([used > most, most]).toEqual([true, 2 ** 21]);
  });

  it('lets who is signed in read, change and sign out; a sign-in and a form say what is wrong, and lose nothing', async () => {
    const on = await world.startSettings({ REDIS_URL: own.url });
    const { browser, email, tenantId } = await world.signedIn({ on });
    const colleague = await world.signedIn({ on, tenantId });
    const form = { email: 'guest@salon.example', form_token: await tokenIn(browser, PEOPLE, INVITATIONS) };
    await own.fill();

    expect((await browser.html('/settings/account')).status).toBe(200);
    const refused = await browser.form(INVITATIONS, form);
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '30']);
    expect(refused.page).toContain(FULL);
    expect(refused.page).toContain('value="guest@salon.example"');
    const json = await browser.json('POST', INVITATIONS, form);
    expect([json.status, json.body.code]).toEqual([503, 'service_unavailable']);
    // Nothing has to be kept for it.
    const program = { email: 'other@salon.example' };
    expect((await browser.json('POST', INVITATIONS, program)).status).toBe(201);

    const stranger = world.browser(on);
    const page = await stranger.form('/settings/sign-in', { email, password: PASSWORD });
    expect([page.status, page.headers['retry-after']]).toEqual([503, '30']);
    expect(page.page).toContain(FULL);
    expect(page.page).toContain(`value="${email}"`);
    const signIn = await stranger.signIn(email, PASSWORD);
    expect([signIn.status, signIn.body.code]).toEqual([503, 'service_unavailable']);
    const change = { current_password: PASSWORD, new_password: 'four calm walruses' };
    expect((await browser.json('POST', '/settings/account/password', change)).status).toBe(503);
    const sessions = '/settings/account/sessions';
    expect((await browser.json('POST', `${sessions}/end-others`, {})).status).toBe(503);
    expect((await browser.json('POST', '/settings/confirm', { password: PASSWORD })).status).toBe(503);
    expect((await browser.json('GET', sessions)).body.data).toHaveLength(1);

    expect((await colleague.browser.json('POST', '/settings/sign-out')).status).toBe(200);
    expect((await colleague.browser.json('GET', PEOPLE)).status).toBe(401);

    await own.clear();
    expect((await browser.form(INVITATIONS, form)).headers.location).toBe(`${PEOPLE}?done=invitation-sent`);
    expect((await browser.form(INVITATIONS, form)).headers.location).toBe(`${PEOPLE}?done=already-invited`);
    expect((await stranger.signIn(email, PASSWORD)).status).toBe(200);
  });

  it('leaves a password as it was, where it fills up just before the new session', async () => {
    const { browser, tenantId, email } = await world.signedIn();
    const [{ id: membershipId }] = (await world.asOperator('GET', `/internal/tenants/${tenantId}/admins`))
      .body.data;
    const shared = new Redis(engines().redisUrl);
    const secrets = createSecretBox(await loadSecretKeys(identityKeys().secretKeysFile));
    const passwords = createPasswordHasher({ by: quickDerive });
    await own.fill();
    const deps = {
      database: world.database,
      gateway: { tenant: () => Promise.reject(new AppError('service_unavailable', 'away')) },
      sessions: createSessions(own.redis, secrets),
      // What is counted before still has a place.
      attempts: createSignInAttempts(shared),
      passwords,
      noteWrongPassword: async () => {},
      mailLimits: createMailLimits(shared),
    };
    const member = await findMember(world.database.forTenant(tenantId), membershipId);
    const accountId = member?.account_id ?? 0;
    const proof = { accountId, credentialsVersion: 1, sessionsVersion: 1, startedAt: 0, confirmedAt: 0 };
    const session = {
      tenantId,
      membershipId,
      email,
      csrfSecret: 'x',
      token: 'x',
      proof,
      hasOtherBusinesses: false,
      role: 'owner' as const,
      scopes: [],
    };
    const change = {
      current: PASSWORD,
      next: 'four calm walruses',
      client: { address: '192.0.2.1', userAgent: '' },
    };
    const changed = changePassword(deps, session, change);
    await expect(changed).rejects.toThrow('Nothing was changed.');
    shared.disconnect();
    await passwords.stop();
    expect((await browser.json('GET', PEOPLE)).status).toBe(200);
    expect((await world.browser().signIn(email, PASSWORD)).status).toBe(200);
  });

  it('signs nobody out whose business is lost: another one is asked for once there is room', async () => {
    const on = await world.startSettings({ REDIS_URL: own.url });
    const { browser, email, tenantId } = await world.signedIn({ on });
    const second = await world.join(email);
    const admins = `/internal/tenants/${tenantId}/admins`;
    const [{ id }] = (await world.asOperator('GET', admins)).body.data;
    await own.fill();
    expect((await world.asOperator('DELETE', `${admins}/${id}`)).status).toBe(200);
    expect((await browser.json('GET', PEOPLE)).status).toBe(503);
    await own.clear();
    const { body } = await browser.json('GET', PEOPLE);
    expect([body.code, body.data.businesses]).toMatchObject(['business_required', [{ id: second }]]);
  });

  it('for lack of disk, pages can be read and changed as well', async () => {
    const on = await world.startSettings({ REDIS_URL: own.url });
    const { browser } = await world.signedIn({ on });
    const form = { email: 'guest@salon.example', form_token: await tokenIn(browser, PEOPLE, INVITATIONS) };
    await own.loseDisk();
    try {
      expect((await browser.html('/settings/account')).status).toBe(200);
      const refused = await browser.form(INVITATIONS, form);
      expect([refused.status, refused.page.includes(FULL)]).toEqual([503, true]);
      const { status, body } = await browser.json('POST', INVITATIONS, { email: 'other@salon.example' });
      expect([status, body.message]).toEqual([201, undefined]);
    } finally {
      await own.findDisk();
    }
    expect((await browser.form(INVITATIONS, form)).status).toBe(303);
  });

  it('leaves pages their limits', () =>
    withinOneWindow(MINUTE_SECONDS, async () => {
      // What a run before this one, of the minute before, has left.
      await own.clear();
      const on = await world.startSettings({ REDIS_URL: own.url, SESSION_REQUESTS_PER_MINUTE: '4' });
      const { browser } = await world.signedIn({ on });
      await own.fill();
      const pages = await Promise.all(Array.from({ length: 6 }, () => browser.html('/settings/account')));
      const statuses = pages.map(({ status }) => status);
      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 200, 200, 200, 429, 429]);
    }));
});

it('sign-ins that are refused leave nothing in Redis of the emails that they name', async () => {
  const on = await world.startSettings({ REDIS_URL: own.url });
  const stranger = world.browser(on);
  const tryOne = (i: number) =>
    stranger.json('POST', '/settings/sign-in', { email: `nobody-${i}@salon.example`, password: 'x' });
  for (let i = 0; i < 60; i += 1) await tryOne(i);
  const counters = () => own.redis.keys('rate:{sign-in-email:*');
  const before = (await counters()).length;
  for (let i = 60; i < 160; i += 1) expect((await tryOne(i)).status).toBe(429);
  expect(await counters()).toHaveLength(before);
});
