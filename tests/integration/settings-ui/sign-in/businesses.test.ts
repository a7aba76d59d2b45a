import { setTimeout as pause } from 'node:timers/promises';
import { tenantSql } from '@frontdesk/database';
import { AppError } from '@frontdesk/service';
import { Redis } from 'ioredis';
import { findCredentials } from '../../../../services/settings-ui/src/accounts/account.repository.ts';
import { csrfTokenOf } from '../../../../services/settings-ui/src/forms/csrf.ts';
import { loadBusinesses } from '../../../../services/settings-ui/src/sign-in/load-businesses.ts';
import { createSignInAttempts } from '../../../../services/settings-ui/src/sign-in/sign-in-attempts.ts';
import { engines, eventually, uniqueTenantId, withinOneWindow } from '../../../support/index.ts';
import { operator } from '../../gateway/gateway-world.ts';
import type { Browser } from '../inject-browser.ts';
import { sessionOf } from '../session-of.ts';
import { PASSWORD, type SettingsWorld, startSettingsWorld } from '../settings-world.ts';

let world: SettingsWorld;
const redis = new Redis(engines().redisUrl, { lazyConnect: true });
beforeAll(async () => {
  world = await startSettingsWorld();
});
afterAll(async () => {
  redis.disconnect();
  await world.stop();
});

const MINUTE_SECONDS = 60;
const QUARTER_HOUR_SECONDS = 900;
const leave = tenantSql<never, { folded: string }>(
  'test_leave',
  `delete from memberships where tenant_id = $tenantId
     and account_id in (select id from accounts where email_folded = $folded)`,
);

const CHOOSE = '/settings/sign-in/business';
const SWITCH = '/settings/switch-business';
const PENDING = 'frontdesk-sign-in';

/** Somebody who belongs to two businesses. */
async function twoBusinesses() {
  const { email, tenantId: first } = await world.newAdmin();
  return { email, first, second: await world.join(email) };
}

/** The business whose pages the browser sees. */
const businessOf = async (browser: Browser): Promise<number | null> => {
  const [, id = null] = /value="(\d+)" aria-current="true"/.exec((await browser.html(SWITCH)).page) ?? [];
  return id === null ? null : Number(id);
};

describe('signing in with several businesses', () => {
  it('ends with the next sign-in of the browser: who has left before choosing is chosen for by nobody', async () => {
    const { email, first } = await twoBusinesses();
    const { email: other } = await world.newAdmin();
    const browser = world.browser();
    expect((await browser.signIn(email, PASSWORD)).body.code).toBe('business_required');
    const pending = browser.jar.get(PENDING) ?? '';
    expect((await browser.signIn(other, PASSWORD)).status).toBe(200);
    expect([pending, browser.jar.has(PENDING)]).toEqual([expect.stringMatching(/^[\w-]{43}$/), false]);
    const thief = world.browser();
    thief.jar.set(PENDING, pending);
    expect((await thief.json('POST', CHOOSE, { business_id: first })).status).toBe(401);
  });

  it('a program gets 401 with the businesses, and a cookie that opens nothing but the choice', async () => {
    const { email, first, second } = await twoBusinesses();
    const browser = world.browser();
    const { status, body } = await browser.signIn(email, PASSWORD);
    expect([status, body.code]).toEqual([401, 'business_required']);
    expect(new Set(body.data.businesses.map(({ id }: { id: number }) => id))).toEqual(
      new Set([first, second]),
    );
    expect(body.data.businesses[0]).toEqual({
      id: expect.any(Number),
      name: expect.any(String),
      is_suspended: false,
    });
    expect([browser.jar.has('frontdesk'), browser.jar.has(PENDING)]).toEqual([false, true]);
    expect((await browser.json('GET', '/settings')).status).toBe(401);
    const thief = world.browser();
    thief.jar.set('frontdesk', browser.jar.get(PENDING) ?? '');
    expect((await thief.json('GET', '/settings')).status).toBe(401);

    const chosen = await browser.json('POST', CHOOSE, { business_id: second });
    expect([chosen.status, chosen.body.data]).toEqual([200, { csrf_token: expect.any(String) }]);
    expect(browser.jar.has(PENDING)).toBe(false);
    expect(await businessOf(browser)).toBe(second);
  });

  it('people choose on a page, and go on to where they wanted to', async () => {
    const { email, first, second } = await twoBusinesses();
    const browser = world.browser();
    const sent = await browser.form('/settings/sign-in', {
      email,
      password: PASSWORD,
      next: '/settings/audit',
    });
    expect([sent.status, sent.headers.location]).toEqual([303, `${CHOOSE}?next=%2Fsettings%2Faudit`]);
    const { status, page } = await browser.html(sent.headers.location as string);
    expect(status).toBe(200);
    for (const id of [first, second]) expect(page).toContain(`name="business_id" value="${id}"`);
    const chosen = await browser.form(CHOOSE, { business_id: String(first), next: '/settings/audit' });
    expect([chosen.status, chosen.headers.location]).toEqual([303, '/settings/audit']);
    expect(await businessOf(browser)).toBe(first);
  });

  it('the last one signed in to comes first; each is in the audit log of its own business', async () => {
    const { email, second } = await twoBusinesses();
    const browser = world.browser();
    await browser.signIn(email, PASSWORD);
    await browser.json('POST', CHOOSE, { business_id: second });
    const again = await world.browser().signIn(email, PASSWORD);
    expect(again.body.data.businesses[0].id).toBe(second);
  });

  it('once, and only with the password of now; a used one leads back to the sign-in, and from there to no choice', async () => {
    const { email, first } = await twoBusinesses();
    const browser = world.browser();
    await browser.signIn(email, PASSWORD);
    const pending = browser.jar.get(PENDING) ?? '';
    expect((await browser.json('POST', CHOOSE, { business_id: first })).status).toBe(200);
    const replayed = world.browser();
    replayed.jar.set(PENDING, pending);
    expect((await replayed.json('POST', CHOOSE, { business_id: first })).status).toBe(401);
    const page = await replayed.html(CHOOSE);
    expect([page.status, page.headers.location]).toEqual([303, '/settings/sign-in']);
    const led = await replayed.html(`${CHOOSE}?next=/settings/audit`);
    expect([led.status, led.headers.location]).toEqual([303, '/settings/sign-in?next=%2Fsettings%2Faudit']);
    const next = `${CHOOSE}?next=/settings/audit`;
    await replayed.form('/settings/sign-in', { email, password: PASSWORD, next });
    const chosen = await replayed.form(CHOOSE, { business_id: String(first), next });
    expect([chosen.status, chosen.headers.location]).toEqual([303, '/settings']);

    const late = world.browser();
    await late.signIn(email, PASSWORD);
    const url = `/internal/tenants/${first}/admins/password`;
    expect((await world.asOperator('PUT', url, { email, password: 'four quiet herons' })).status).toBe(200);
    expect((await late.json('POST', CHOOSE, { business_id: first })).status).toBe(401);
  });

  it('of many choices at once by one sign-in, one opens a session', async () => {
    const { email, first, second } = await twoBusinesses();
    const browser = world.browser();
    await browser.signIn(email, PASSWORD);
    const pending = browser.jar.get(PENDING) ?? '';
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async (_, place) => {
        const copy = world.browser();
        copy.jar.set(PENDING, pending);
        return (await copy.json('POST', CHOOSE, { business_id: place % 2 ? first : second })).status;
      }),
    );
    expect(statuses.sort((a, b) => a - b)).toEqual([200, ...Array(9).fill(401)]);
  });

  it('429 where a browser that has still to choose sends more requests than a session may', () =>
    withinOneWindow(MINUTE_SECONDS, async () => {
      const { email, first } = await twoBusinesses();
      const on = await world.startSettings({ SESSION_REQUESTS_PER_MINUTE: '3' });
      const browser = world.browser(on);
      await browser.signIn(email, PASSWORD);
      const statuses: number[] = [];
      for (let i = 0; i < 4; i += 1) statuses.push((await browser.html(CHOOSE)).status);
      expect(statuses).toEqual([200, 200, 200, 429]);
      expect((await browser.json('POST', CHOOSE, { business_id: first })).status).toBe(429);
    }));

  it('429 after a hundred choices, whatever the sign-ins are counted as', () =>
    withinOneWindow(QUARTER_HOUR_SECONDS, async () => {
      const { email, first } = await twoBusinesses();
      const account = await findCredentials(world.database.system, email);
      if (!account) throw new Error('There is no account.');
      const attempts = createSignInAttempts(redis);
      for (let i = 0; i < 100; i += 1) await attempts.countSignIn(account.id, 'chosen');
      const browser = world.browser();
      expect((await browser.signIn(email, PASSWORD)).status).toBe(401);
      expect((await browser.json('POST', CHOOSE, { business_id: first })).status).toBe(429);
    }));

  it('of more than a hundred each can be chosen, and the gateway is asked for a few at a time', async () => {
    const { email, tenantId } = await world.newAdmin();
    const many = Array.from({ length: 119 }, (_, place) => uniqueTenantId() + place);
    for (const id of many) await world.join(email, id);
    const browser = world.browser();
    const sent = await browser.signIn(email, PASSWORD);
    expect(sent.body.data.businesses).toHaveLength(100);
    const page = async (url: string) => {
      const { page } = await browser.html(url);
      const ids = [...page.matchAll(/name="business_id" value="(\d+)"/g)].map(([, id]) => Number(id));
      const links = [...page.matchAll(/<a class="button" href="([^"]*)">(More|Back)/g)];
      return { ids, links: links.map(([, href = '', name]) => [name, href.replaceAll('&amp;', '&')]) };
    };
    const first = await page(`${CHOOSE}?next=/settings/audit`);
    const second = await page(first.links[0]?.[1] ?? '');
    expect([first.ids.length, second.ids.length]).toEqual([100, 20]);
    expect(new Set([...first.ids, ...second.ids])).toEqual(new Set([tenantId, ...many]));
    expect(second.links).toEqual([['Back', `${CHOOSE}?next=%2Fsettings%2Faudit`]]);
    for (const odd of ['0', '-1', 'x', '1e9', '99999999999999999999'])
      expect((await page(`${CHOOSE}?page=${odd}`)).ids).toEqual(first.ids);
    const business_id = second.ids.at(-1);
    expect((await browser.json('POST', CHOOSE, { business_id })).status).toBe(200);

    const account = await findCredentials(world.database.system, email);
    const asked = { now: 0, most: 0 };
    const tenant = async () => {
      asked.now += 1;
      asked.most = Math.max(asked.most, asked.now);
      await new Promise(setImmediate);
      asked.now -= 1;
      throw new AppError('not_found', 'There is none.');
    };
    const loaded = await loadBusinesses({ database: world.database, gateway: { tenant } }, account?.id ?? 0);
    expect([loaded.businesses.length, loaded.goesOn]).toEqual([100, true]);
    expect(asked.most).toBeLessThanOrEqual(8);
  });

  it('are all listed soon where the gateway is slow, those that it didn’t name in time without a name', async () => {
    const { email } = await world.newAdmin();
    const first = uniqueTenantId();
    for (let place = 0; place < 99; place += 1) await world.join(email, first + place);
    const account = await findCredentials(world.database.system, email);
    let asked = 0;
    const tenant = async () => {
      asked += 1;
      await pause(400);
      throw new AppError('upstream_timeout', 'The gateway is slow.');
    };
    const loaded = await loadBusinesses({ database: world.database, gateway: { tenant } }, account?.id ?? 0);
    expect(loaded.businesses).toHaveLength(100);
    expect(loaded.businesses.every(({ name }) => name === null)).toBe(true);
    expect(asked).toBeLessThanOrEqual(32);
  });

  it('404 for a business of others; 422 in words for whatever is no number', async () => {
    const { email, first } = await twoBusinesses();
    const { tenantId: foreign } = await world.newAdmin();
    const browser = world.browser();
    await browser.signIn(email, PASSWORD);
    for (const business_id of [foreign, 999_999_999])
      expect((await browser.json('POST', CHOOSE, { business_id })).status).toBe(404);
    for (const business_id of [null, true, -1, 1.5, 'x', [], {}, [first]]) {
      const { status, body } = await browser.json('POST', CHOOSE, { business_id });
      expect([business_id, status, body.words]).toEqual([business_id, 422, expect.any(String)]);
    }
    expect((await browser.json('POST', CHOOSE, { business_id: first })).status).toBe(200);
  });
});

describe('another business of who is signed in', () => {
  const signedInTo = async (email: string, id: number) => {
    const browser = world.browser();
    await browser.signIn(email, PASSWORD);
    await browser.json('POST', CHOOSE, { business_id: id });
    return browser;
  };

  it('opens without the password; forms and the session of the one before are over', async () => {
    const { email, first, second } = await twoBusinesses();
    const browser = world.browser();
    await browser.signIn(email, PASSWORD);
    const { csrf_token } = (await browser.json('POST', CHOOSE, { business_id: first })).body.data;
    const before = browser.jar.get('frontdesk') ?? '';
    const home = await browser.html('/settings');
    expect(home.page).toContain(`href="${SWITCH}"`);
    expect((await browser.html(SWITCH)).page).toContain(`value="${first}" aria-current="true"`);
    const switched = await browser.json('POST', SWITCH, { business_id: second }, csrf_token);
    expect(switched.status).toBe(200);
    expect(await businessOf(browser)).toBe(second);
    const stale = await browser.json('POST', '/settings/api/keys', { name: 'Stale' }, csrf_token);
    expect([stale.status, stale.body.code]).toEqual([403, 'csrf_failed']);
    const old = world.browser();
    old.jar.set('frontdesk', before);
    expect((await old.json('GET', '/settings')).status).toBe(401);
  });

  it('is opened a hundred times in a quarter of an hour; that keeps nobody from signing in', () =>
    withinOneWindow(QUARTER_HOUR_SECONDS, async () => {
      const { email, first, second } = await twoBusinesses();
      const browser = await signedInTo(email, first);
      const account = await findCredentials(world.database.system, email);
      if (!account) throw new Error('There is no account.');
      const attempts = createSignInAttempts(redis);
      for (let i = 0; i < 100; i += 1) await attempts.countSignIn(account.id, 'switched');
      const { csrfSecret } = await sessionOf(redis, browser);
      const switched = await browser.json('POST', SWITCH, { business_id: second }, csrfTokenOf(csrfSecret));
      expect(switched.status).toBe(429);
      expect(await businessOf(await signedInTo(email, second))).toBe(second);
    }));

  it('is opened once, however many ask at once with copies of one session; the open one stays in its session', async () => {
    const { email, first, second } = await twoBusinesses();
    const { token, csrfSecret } = await sessionOf(redis, await signedInTo(email, first));
    const tenTimes = (business_id: number) =>
      Promise.all(
        Array.from({ length: 10 }, async () => {
          const copy = world.browser();
          copy.jar.set('frontdesk', token);
          const csrfToken = csrfTokenOf(csrfSecret);
          const { status, headers } = await copy.json('POST', SWITCH, { business_id }, csrfToken);
          return { status, headers, copy };
        }),
      );
    // No cookie comes with it, which could take the place of another request's.
    for (const { status, headers } of await tenTimes(first))
      expect([status, headers['set-cookie']]).toEqual([200, undefined]);
    const answers = (await tenTimes(second)).sort((a, b) => a.status - b.status);
    expect(answers.map(({ status }) => status)).toEqual([200, ...Array(9).fill(401)]);
    const listed = await answers[0]?.copy.json('GET', '/settings/account/sessions');
    expect(listed?.body.data).toHaveLength(1);
  });

  it('is not offered to who has one alone', async () => {
    const { browser } = await world.signedIn();
    expect((await browser.html('/settings')).page).not.toContain(SWITCH);
  });

  it('is asked for at once where access to the open one is taken away; with none left, that is said', async () => {
    const { email, first, second } = await twoBusinesses();
    const browser = await signedInTo(email, first);
    const remove = async (tenantId: number) => {
      const list = await world.asOperator('GET', `/internal/tenants/${tenantId}/admins`);
      const { id } = list.body.data.find((one: { email: string }) => one.email === email);
      expect((await world.asOperator('DELETE', `/internal/tenants/${tenantId}/admins/${id}`)).status).toBe(
        200,
      );
    };
    const people = await signedInTo(email, first);
    await remove(first);
    const program = await browser.json('GET', '/settings');
    expect([program.status, program.body.code]).toEqual([401, 'business_required']);
    expect(program.body.data.businesses.map(({ id }: { id: number }) => id)).toEqual([second]);
    const led = await people.html('/settings/customers');
    expect([led.status, led.headers.location]).toEqual([303, `${CHOOSE}?next=%2Fsettings%2Fcustomers`]);
    expect((await browser.json('POST', CHOOSE, { business_id: second })).status).toBe(200);
    // The account goes with its last business.
    await remove(second);
    expect((await browser.json('GET', '/settings')).status).toBe(401);
    expect((await world.browser().signIn(email, PASSWORD)).body.code).toBe('unauthorized');
  });

  it('whose session ends with the open one: however many requests find that, one can go on', async () => {
    const { email, first } = await twoBusinesses();
    await world.join(email);
    const browser = await signedInTo(email, first);
    const token = browser.jar.get('frontdesk') ?? '';
    await world.database.forTenant(first).run(leave, { folded: email });
    const answers = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const copy = world.browser();
        copy.jar.set('frontdesk', token);
        const { body } = await copy.json('GET', '/settings');
        return [body.code, copy.jar.has(PENDING), copy.jar.has('frontdesk')];
      }),
    );
    expect(answers.filter(([code]) => code === 'business_required')).toEqual([
      ['business_required', true, false],
    ]);
    expect(answers.filter(([code]) => code === 'unauthorized')).toHaveLength(9);
    expect((await browser.json('GET', '/settings')).body.code).toBe('unauthorized');
  });

  it('a suspended one is marked, opens, and lets nobody change anything but go on to another', async () => {
    const { email, first, second } = await twoBusinesses();
    await world.gatewayWorld.internal(world.gateway, operator, 'PATCH', `/internal/tenants/${first}`, {
      status: 'suspended',
    });
    const browser = world.browser();
    const { body } = await browser.signIn(email, PASSWORD);
    expect(body.data.businesses).toContainEqual(expect.objectContaining({ id: first, is_suspended: true }));
    const { csrf_token } = (await browser.json('POST', CHOOSE, { business_id: first })).body.data;
    await eventually(async () =>
      expect((await browser.html('/settings')).page).toContain('This business is suspended.'),
    );
    expect((await browser.json('POST', SWITCH, { business_id: second }, csrf_token)).status).toBe(200);
  });
});

it('a wrong password is in the log of each business of the account', async () => {
  const { email, first, second } = await twoBusinesses();
  await world.browser().signIn(email, 'not my password');
  for (const id of [first, second]) {
    const { browser } = await world.signedIn({ tenantId: id });
    await eventually(async () => expect((await browser.html('/settings/audit')).page).toContain(email));
  }
});
