import { randomInt, randomUUID } from 'node:crypto';
import { createSecretBox, loadSecretKeys } from '@frontdesk/service';
import { Redis } from 'ioredis';
import { createSignInAttempts } from '../../../../services/settings-ui/src/sign-in/sign-in-attempts.ts';
import { engines, identityKeys, withinOneWindow } from '../../../support/index.ts';
import { PASSWORD, type SettingsWorld, startSettingsWorld } from '../settings-world.ts';

let world: SettingsWorld;
let redis: Redis;
beforeAll(async () => {
  world = await startSettingsWorld();
  redis = new Redis(engines().redisUrl);
});
afterAll(async () => {
  redis.disconnect();
  await world.stop();
});

const DEVICE = 'frontdesk-known-device';
const QUARTER_HOUR_SECONDS = 900;
const inOneWindow = <Result>(test: () => Promise<Result>) => withinOneWindow(QUARTER_HOUR_SECONDS, test);
const unknownEmail = () => `nobody-${randomUUID()}@salon.example`;

/** The statuses of so many wrong passwords, each from a browser of its own. */
async function guess(count: number, options: { email?: string; address?: () => string }): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < count; i += 1) {
    const browser = world.browser(undefined, options.address?.());
    statuses.push((await browser.signIn(options.email ?? unknownEmail(), 'wrong')).status);
  }
  return statuses;
}
const failures = (count: number) => Array<number>(count).fill(401);

describe('the own password of who is signed in', () => {
  const right = async () => ({ isRight: true });
  const wrong = async () => ({ isRight: false });

  it('is judged for twenty at once; a further one is refused, and ends nothing', () =>
    inOneWindow(async () => {
      const attempts = createSignInAttempts(redis);
      const signIn = { accountId: randomInt(2 ** 47), startedAt: Date.now() };
      const { promise: judged, resolve } = Promise.withResolvers<{ isRight: boolean }>();
      const verdicts = Array.from({ length: 20 }, () => attempts.judgeOwn(signIn, () => judged));
      const further = attempts.judgeOwn(signIn, right);
      const first = await Promise.race([...verdicts, further].map((each) => each.catch(({ code }) => code)));
      resolve({ isRight: true });
      expect(first).toBe('rate_limited');
      for (const each of await Promise.allSettled(verdicts))
        expect(each).toMatchObject({ status: 'fulfilled', value: { isOver: false } });
      expect(await attempts.judgeOwn(signIn, wrong)).toMatchObject({ isOver: false });
    }));

  it('is judged twenty times in all where it is wrong, however many come at once', () =>
    inOneWindow(async () => {
      const attempts = createSignInAttempts(redis);
      const signIn = { accountId: randomInt(2 ** 47), startedAt: Date.now() };
      let judged = 0;
      const judge = async () => {
        judged += 1;
        return wrong();
      };
      const guess = () => attempts.judgeOwn(signIn, judge).catch(() => null);
      for (let i = 0; i < 7; i += 1) await guess();
      const ends = [];
      for (let i = 0; i < 10; i += 1) ends.push(...(await Promise.all(Array.from({ length: 30 }, guess))));
      expect(judged).toBe(20);
      expect(ends.filter((end) => end?.verdict && end.isOver)).toHaveLength(1);
      // Where the session could not be ended then, the next one ends it.
      expect(await attempts.judgeOwn(signIn, right)).toEqual({ verdict: null, isOver: true });
    }));

  it('leaves one key for an account that lives as long as a session, with its newest 200 sign-ins', async () => {
    const attempts = createSignInAttempts(redis);
    const accountId = randomInt(2 ** 47);
    for (let n = 1; n <= 203; n += 1) await attempts.judgeOwn({ accountId, startedAt: 1_000 + n }, wrong);
    await attempts.judgeOwn({ accountId, startedAt: 9_000 }, right);
    const keys = await redis.keys(`*:${accountId}*`);
    expect(keys).toEqual([`settings:wrong-passwords:${accountId}`]);
    const signIns = await redis.zrange(keys[0] ?? '', 0, -1);
    expect([signIns.length, signIns.includes('1003'), signIns.includes('1004')]).toEqual([200, false, true]);
    expect(await redis.pttl(keys[0] ?? '')).toBeGreaterThan(29 * 86_400_000);
  });
});

describe('guesses at one email, from wherever', () => {
  it('429 after twenty, also with the right password; others sign in', async () => {
    const { statuses, refused } = await inOneWindow(async () => {
      const { email } = await world.newAdmin();
      const statuses = await guess(21, { email });
      return { statuses, refused: await world.browser().signIn(email, PASSWORD) };
    });
    expect(statuses).toEqual([...failures(20), 429]);
    expect(refused.body).toMatchObject({ success: false, code: 'rate_limited' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await world.browser().signIn((await world.newAdmin()).email, PASSWORD)).status).toBe(200);
  });

  it('keep no browser out that its owner has signed in with before, which has twenty of its own', async () => {
    const { before, own, stranger } = await inOneWindow(async () => {
      const { email, browser } = await world.signedIn();
      await browser.form('/settings/sign-out', {});
      await guess(21, { email });
      const before = await browser.signIn(email, PASSWORD);
      const own: number[] = [];
      for (let i = 0; i < 21; i += 1) own.push((await browser.signIn(email, 'wrong')).status);
      // What the device has used up is no stranger's.
      const { email: other, browser: another } = await world.signedIn();
      for (let i = 0; i < 21; i += 1) await another.signIn(other, 'wrong');
      return { before, own, stranger: await world.browser().signIn(other, PASSWORD) };
    });
    expect(before.status).toBe(200);
    expect(own).toEqual([...failures(20), 429]);
    expect(stranger.status).toBe(200);
  });

  it('keep nobody out who has just set a password by a link', async () => {
    const signedIn = await inOneWindow(async () => {
      const { email, tenantId } = await world.newAdmin();
      await guess(21, { email });
      const made = await world.asOperator('POST', `/internal/tenants/${tenantId}/admins/reset-link`, {
        email,
      });
      const token = new URL(made.body.data.url).searchParams.get('token') ?? '';
      const browser = world.browser();
      await browser.form('/settings/reset', { token, new_password: PASSWORD });
      return browser.signIn(email, PASSWORD);
    });
    expect(signedIn.status).toBe(200);
  });

  it('keep nobody out who has just joined by an invitation', async () => {
    const signedIn = await inOneWindow(async () => {
      const { browser: colleague } = await world.signedIn();
      const email = unknownEmail();
      await colleague.json('POST', '/settings/people/invitations', { email });
      const token = await world.tokenSentTo(email);
      const browser = world.browser();
      await browser.form('/settings/invitation', { token, new_password: PASSWORD });
      await guess(21, { email });
      return browser.signIn(email, PASSWORD);
    });
    expect(signedIn.status).toBe(200);
  });
});

describe('a device', () => {
  /** An admin whose sign-ins by strangers are used up, and what a browser with this cookie gets. */
  const lockedOut = async () => {
    const { email } = await world.newAdmin();
    await guess(21, { email });
    const statusWith = async (cookie: string) => {
      const browser = world.browser();
      browser.jar.set(DEVICE, cookie);
      return (await browser.signIn(email, PASSWORD)).status;
    };
    return { email, statusWith };
  };
  const cookieOf = async () => (await world.signedIn()).browser.jar.get(DEVICE) ?? '';

  it('of another admin, changed, made up or sealed for something else is a stranger’s', async () => {
    const statuses = await inOneWindow(async () => {
      const { statusWith } = await lockedOut();
      const theirs = await cookieOf();
      const changed = theirs.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A')).replace(/\.(.)/, '.$1x');
      const device = JSON.stringify({ accountId: 1, credentialsVersion: 1, id: randomUUID() });
      const sealed = createSecretBox(await loadSecretKeys(identityKeys().secretKeysFile)).seal(
        device,
        'other',
      );
      return Promise.all([theirs, changed, device, sealed].map(statusWith));
    });
    expect(statuses).toEqual([429, 429, 429, 429]);
  });

  it('reveals nothing of its admin', async () => {
    const { email, browser } = await world.signedIn();
    const cookie = decodeURIComponent(browser.jar.get(DEVICE) ?? '');
    const parts = cookie.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
    expect(parts.join()).not.toContain('tenantId');
    expect(parts.join()).not.toContain(email);
  });

  it('of an admin who is gone is a stranger’s, also where another admin has the email now', async () => {
    const status = await inOneWindow(async () => {
      const { tenantId, email, browser } = await world.signedIn();
      const list = `/internal/tenants/${tenantId}/admins`;
      const [{ id }] = (await world.asOperator('GET', list)).body.data;
      await world.asOperator('DELETE', `${list}/${id}`);
      await world.asOperator('POST', list, { email, password: PASSWORD });
      await guess(21, { email });
      return (await browser.signIn(email, PASSWORD)).status;
    });
    expect(status).toBe(429);
  });
});

describe('with another password', () => {
  const NEXT = 'four calm walruses';

  it('a device that knew the one before is a stranger’s, and that which has changed it is known', async () => {
    const { changed, before, own } = await inOneWindow(async () => {
      const { email, browser } = await world.signedIn();
      const thief = world.browser();
      await thief.signIn(email, PASSWORD);
      const body = { current_password: PASSWORD, new_password: NEXT };
      const { status: changed } = await browser.json('POST', '/settings/account/password', body);
      await guess(21, { email });
      const before = await thief.signIn(email, NEXT);
      return { changed, before, own: await browser.signIn(email, NEXT) };
    });
    expect([changed, before.status, own.status]).toEqual([200, 429, 200]);
  });
});

describe('guesses at any emails', () => {
  const hex = (number: number) => number.toString(16);
  let lastSite = randomInt(0x10000);
  /** Each another one: what counts for one says nothing of the next. */
  const newSite = () => {
    lastSite = (lastSite + 1) % 0x10000;
    return `2001:db8:${hex(lastSite)}`;
  };

  it('429 after sixty from one address, which keeps out no browser known there', async () => {
    const { statuses, stranger, known } = await inOneWindow(async () => {
      const { browser, email } = await world.signedIn();
      const { address } = browser;
      const statuses = await guess(61, { address: () => address });
      return {
        statuses,
        stranger: await world.browser(undefined, address).signIn(email, PASSWORD),
        known: await browser.signIn(email, PASSWORD),
      };
    });
    expect(statuses).toEqual([...failures(60), 429]);
    expect([stranger.status, known.status]).toEqual([429, 200]);
  });

  it.each([
    [60, '/64', (i: number) => `1::${hex(i)}`, '2::1'],
    [120, '/56', (i: number) => `${hex(0x100 + i)}::1`, '200::1'],
    [240, '/48', (i: number) => `${hex(i * 0x100)}::1`, null],
  ])('429 after %i from one %s', async (count, _network, hostOf, neighbour) => {
    const { statuses, others } = await inOneWindow(async () => {
      const site = newSite();
      let next = 0;
      const statuses = await guess(count + 1, { address: () => `${site}:${hostOf(next++)}` });
      const elsewhere = neighbour === null ? `${newSite()}::1` : `${site}:${neighbour}`;
      return { statuses, others: await guess(1, { address: () => elsewhere }) };
    });
    expect(statuses).toEqual([...failures(count), 429]);
    expect(others).toEqual([401]);
  });

  it('that are refused by an address use up nothing of an email', async () => {
    const statuses = await inOneWindow(async () => {
      const { browser } = await world.signedIn();
      await guess(60, { address: () => browser.address });
      const { email } = await world.newAdmin();
      const refused = await guess(30, { email, address: () => browser.address });
      return [...refused, (await world.browser().signIn(email, PASSWORD)).status];
    });
    expect(statuses).toEqual([...Array<number>(30).fill(429), 200]);
  });
});

describe('what is not wrong', () => {
  it('counts for nothing: right passwords give their attempts back', async () => {
    const statuses = await inOneWindow(async () => {
      const { email } = await world.newAdmin();
      const { address } = world.browser();
      const statuses: number[] = [];
      for (let i = 0; i < 70; i += 1)
        statuses.push((await world.browser(undefined, address).signIn(email, PASSWORD)).status);
      return [...statuses, ...(await guess(1, { email, address: () => address }))];
    });
    expect(statuses).toEqual([...Array<number>(70).fill(200), 401]);
  });

  it('is bounded all the same: a hundred sign-ins of one admin', async () => {
    const statuses = await inOneWindow(async () => {
      const { email } = await world.newAdmin();
      const statuses: number[] = [];
      for (let i = 0; i < 101; i += 1) statuses.push((await world.browser().signIn(email, PASSWORD)).status);
      return statuses;
    });
    expect(statuses).toEqual([...Array<number>(100).fill(200), 429]);
  });

  it('counts for nothing: nor does what could not be judged', async () => {
    const attempts = createSignInAttempts(redis);
    const guesser = { email: unknownEmail(), address: '192.0.2.1' };
    const away = () => Promise.reject(new Error('away'));
    await inOneWindow(async () => {
      for (let i = 0; i < 30; i += 1) await expect(attempts.judge(guesser, away)).rejects.toThrow('away');
    });
  });
});
