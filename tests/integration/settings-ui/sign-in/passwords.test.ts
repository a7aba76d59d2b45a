import { listEntries } from '../../../../services/settings-ui/src/audit/audit-entry.repository.ts';
import { withinOneWindow } from '../../../support/index.ts';
import { quickDerive } from '../quick-derive.ts';
import { PASSWORD, type SettingsWorld, startSettingsWorld } from '../settings-world.ts';

/** Of passwords whose hashing a test holds back. */
const held = new Map<string, { reach: () => void; released: Promise<void> }>();
const derive = (async (algorithm, parameters) => {
  const hold = held.get(parameters.message as string);
  hold?.reach();
  await hold?.released;
  return quickDerive(algorithm, parameters);
}) as typeof quickDerive;
/** Holds the hashing of a password back. `reached` waits until it has come to that. */
function holdBack(password: string) {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  held.set(password, { reach: reached.resolve, released: released.promise });
  return {
    reached: reached.promise,
    release() {
      held.delete(password);
      released.resolve();
    },
  };
}

let world: SettingsWorld;
beforeAll(async () => {
  world = await startSettingsWorld({ derive });
});
afterAll(() => world.stop());

const NEXT = 'four loud herons';
const HOME = '/settings/api';
const QUARTER_HOUR_SECONDS = 900;
const HOUR_SECONDS = 3_600;
const canSignIn = async (email: string, password: string) =>
  (await world.browser().signIn(email, password)).status === 200;

describe('changing the password', () => {
  const change = '/settings/account/password';

  it('keeps this browser in and every other one out', async () => {
    const { browser, email } = await world.signedIn();
    const elsewhere = world.browser();
    await elsewhere.signIn(email, PASSWORD);

    const answer = await browser.form(change, { current_password: PASSWORD, new_password: NEXT });
    expect([answer.status, answer.headers.location]).toEqual([
      303,
      '/settings/account?done=password-changed',
    ]);
    expect((await browser.json('GET', HOME)).status).toBe(200);
    expect((await elsewhere.json('GET', HOME)).status).toBe(401);
    expect([await canSignIn(email, PASSWORD), await canSignIn(email, NEXT)]).toEqual([false, true]);
  });

  it('401 where another one was set while it was hashed, which stays', async () => {
    const { browser, email, tenantId } = await world.signedIn();
    const hold = holdBack(NEXT);
    const answer = browser.json('POST', change, { current_password: PASSWORD, new_password: NEXT });
    await hold.reached;
    const password = 'seven quiet badgers';
    const set = await world.asOperator('PUT', `/internal/tenants/${tenantId}/admins/password`, {
      email,
      password,
    });
    hold.release();
    const { status, body } = await answer;
    expect([set.status, status, body.code]).toEqual([200, 401, 'unauthorized']);
    expect([await canSignIn(email, NEXT), await canSignIn(email, password)]).toEqual([false, true]);
  });

  it('of two at once by the same current password, one is made', async () => {
    const { browser, email } = await world.signedIn();
    const passwords = [NEXT, `${NEXT} again`];
    const holds = passwords.map(holdBack);
    const answers = passwords.map((new_password) =>
      browser.json('POST', change, { current_password: PASSWORD, new_password }),
    );
    await Promise.all(holds.map(({ reached }) => reached));
    for (const { release } of holds) release();
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401]);
    for (const [index, password] of passwords.entries())
      expect(await canSignIn(email, password)).toBe(statuses[index] === 200);
  });

  it('422 beside the field: a wrong current one, a short new one', async () => {
    const { browser, email } = await world.signedIn();
    const wrong = await browser.json('POST', change, { current_password: 'x', new_password: NEXT });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['current_password']]);
    const short = await browser.form(change, { current_password: PASSWORD, new_password: 'short' });
    expect(short.status).toBe(422);
    expect(short.page).toContain('id="new_password-error"');
    expect(short.page).toContain('aria-invalid="true"');
    expect(await canSignIn(email, PASSWORD)).toBe(true);
  });

  it('422 where it is easy to guess: a common one, the own email’s', async () => {
    const { browser, email } = await world.signedIn();
    for (const [next, reason] of [
      ['password12', 'it is similar to a common password'],
      [email, 'it is made of your email address'],
    ] as const) {
      const sent = { current_password: PASSWORD, new_password: next };
      const { status, body } = await browser.json('POST', change, sent);
      expect([status, Object.keys(body.errors)]).toEqual([422, ['new_password']]);
      const { page } = await browser.form(change, sent);
      expect(page).toContain(`This password is too easy to guess: ${reason}`);
    }
    expect(await canSignIn(email, PASSWORD)).toBe(true);
  });

  /** Twenty are let through, and an attempt counts for the email and for the address. */
  const MOST_ATTEMPTS = 41;
  const untilLimited = async (attempt: () => Promise<{ status: number }>) => {
    for (let attempts = 1; attempts <= MOST_ATTEMPTS; attempts += 1)
      if ((await attempt()).status === 429) return;
    throw new Error(`${MOST_ATTEMPTS} attempts were let through.`);
  };

  it('works also where somebody has used up the sign-ins of this email', async () => {
    const changed = await withinOneWindow(QUARTER_HOUR_SECONDS, async () => {
      const { browser, email } = await world.signedIn();
      await untilLimited(() => world.browser().signIn(email, 'wrong'));
      return browser.form(change, { current_password: PASSWORD, new_password: NEXT });
    });
    expect(changed.status).toBe(303);
  });

  it('too many wrong current ones end this session, and no other', async () => {
    const wrong = { current_password: 'wrong', new_password: NEXT };
    const { browser, email, tenantId } = await world.signedIn();
    const elsewhere = world.browser();
    await elsewhere.signIn(email, PASSWORD);
    const statuses: number[] = [];
    for (let n = 0; n < 20; n += 1) statuses.push((await browser.json('POST', change, wrong)).status);
    expect(statuses).toEqual([...Array(19).fill(422), 401]);
    expect((await browser.json('GET', '/settings')).status).toBe(401);
    const own = { ...wrong, current_password: PASSWORD };
    expect((await elsewhere.json('POST', change, own)).status).toBe(200);
    const other = await world.signedIn({ tenantId });
    expect((await other.browser.json('POST', change, wrong)).status).toBe(422);
  });
});

describe('changing the password again and again', () => {
  const change = '/settings/account/password';
  const passwordOf = (n: number) => `four loud herons ${n} walk`;
  /** Changes it so often. @returns the statuses, and how to go on in the session of the last change */
  const changeAsOften = async (times: number, { browser }: Awaited<ReturnType<typeof world.signedIn>>) => {
    const statuses: number[] = [];
    let token = browser.csrfToken();
    for (let n = 0; n < times; n += 1) {
      const sent = { current_password: n === 0 ? PASSWORD : passwordOf(n - 1), new_password: passwordOf(n) };
      const { status, body } = await browser.json('POST', change, sent, token);
      statuses.push(status);
      token = body.data?.csrf_token ?? token;
    }
    return { statuses, token };
  };

  it('429 beyond ten times in an hour, with the password as it was; not for a colleague', async () => {
    const { changed, page, json, email, entries, colleague } = await withinOneWindow(
      HOUR_SECONDS,
      async () => {
        const admin = await world.signedIn();
        const changed = await changeAsOften(10, admin);
        const sent = { current_password: passwordOf(9), new_password: NEXT };
        const other = await world.signedIn({ tenantId: admin.tenantId });
        return {
          changed,
          page: await admin.browser.form(change, { ...sent, _csrf: changed.token }),
          json: await admin.browser.json('POST', change, sent, changed.token),
          email: admin.email,
          entries: await listEntries(world.database.forTenant(admin.tenantId), { count: 100 }),
          colleague: await changeAsOften(1, other),
        };
      },
    );
    expect([changed.statuses, page.status]).toEqual([Array(10).fill(200), 429]);
    expect(page.page).toContain('You have changed your password 10 times in an hour');
    expect([json.status, json.body.code]).toEqual([429, 'rate_limited']);
    expect(Number(json.headers['retry-after'])).toBeLessThanOrEqual(HOUR_SECONDS);
    expect(entries.filter(({ action }) => action === 'password_changed')).toHaveLength(10);
    expect([await canSignIn(email, NEXT), await canSignIn(email, passwordOf(9))]).toEqual([false, true]);
    expect(colleague.statuses).toEqual([200]);
  });

  it('a change that is refused counts for nothing', async () => {
    const statuses = await withinOneWindow(HOUR_SECONDS, async () => {
      const { browser } = await world.signedIn();
      for (let times = 0; times < 12; times += 1)
        await browser.form(change, { current_password: PASSWORD, new_password: 'password12' });
      return (await browser.form(change, { current_password: PASSWORD, new_password: NEXT })).status;
    });
    expect(statuses).toBe(303);
  });
});

describe('a link for a new password', () => {
  const linkFor = async (tenantId: number, email: string) => {
    const made = await world.asOperator('POST', `/internal/tenants/${tenantId}/admins/reset-link`, { email });
    return made.body.data as { url: string; expires_at: string };
  };
  const tokenOf = (url: string) => new URL(url).searchParams.get('token') ?? '';

  it('sets it once, ends all sessions, and is void afterwards', async () => {
    const { tenantId, email, browser } = await world.signedIn();
    const { url, expires_at } = await linkFor(tenantId, email);
    expect(url).toMatch(/^http:\/\/settings\.example\.com\/settings\/reset\?token=[\w-]{43}$/);
    expect(Date.parse(expires_at) - Date.now()).toBeLessThanOrEqual(3_600_000);
    const somebody = world.browser();
    const path = url.slice('http://settings.example.com'.length);
    expect((await somebody.html(path)).page).toContain('name="new_password"');

    const fields = { token: tokenOf(url), new_password: NEXT };
    const answer = await somebody.form('/settings/reset', fields);
    expect([answer.status, answer.headers.location]).toEqual([303, '/settings/sign-in?done=password-set']);
    expect((await browser.json('GET', HOME)).status).toBe(401);
    expect([await canSignIn(email, PASSWORD), await canSignIn(email, NEXT)]).toEqual([false, true]);

    const again = await somebody.form('/settings/reset', fields);
    expect(again.status).toBe(422);
    expect((await somebody.html(path)).page).toContain('has been used or has expired');
  });

  it('works beside a newer one, until one of them is used', async () => {
    const { tenantId, email } = await world.newAdmin();
    const [first, second] = [await linkFor(tenantId, email), await linkFor(tenantId, email)];
    const use = ({ url }: { url: string }) =>
      world.browser().form('/settings/reset', { token: tokenOf(url), new_password: NEXT });
    expect([(await use(first)).status, (await use(second)).status]).toEqual([303, 422]);
  });

  it('422 for one that is easy to guess, and works still', async () => {
    const { tenantId, email } = await world.newAdmin();
    const token = tokenOf((await linkFor(tenantId, email)).url);
    const use = (password: string) =>
      world.browser().form('/settings/reset', { token, new_password: password });
    expect([(await use('password12')).status, (await use(NEXT)).status]).toEqual([422, 303]);
  });

  it('404 for another tenant’s admin', async () => {
    const [{ email }, { tenantId }] = [await world.newAdmin(), await world.newAdmin()];
    const answer = await world.asOperator('POST', `/internal/tenants/${tenantId}/admins/reset-link`, {
      email,
    });
    expect([answer.status, answer.body.message]).toEqual([404, 'Admin not found.']);
  });
});

describe('admins, by the operator', () => {
  it('422 for a password of an email that somebody has, in whichever tenant and case; 404 for an unknown tenant', async () => {
    const { email } = await world.newAdmin();
    const { tenantId } = await world.newAdmin();
    const add = (tenant: number, address: string) =>
      world.asOperator('POST', `/internal/tenants/${tenant}/admins`, { email: address, password: PASSWORD });
    const taken = await add(tenantId, email.toUpperCase());
    expect([taken.status, taken.body.errors]).toEqual([
      422,
      { password: ['This address has an account with a password: leave the password out.'] },
    ]);
    expect((await add(2 ** 50, 'new@salon.example')).status).toBe(404);
  });

  it('sets a password, or makes a link, and that stands in the log of each business of the account', async () => {
    const { tenantId, email } = await world.newAdmin();
    const second = await world.join(email);
    const admins = `/internal/tenants/${tenantId}/admins`;
    await world.asOperator('PUT', `${admins}/password`, { email, password: 'four loud herons' });
    await world.asOperator('POST', `${admins}/reset-link`, { email });
    for (const each of [tenantId, second]) {
      const entries = await listEntries(world.database.forTenant(each), { count: 2 });
      expect(entries).toMatchObject([
        { action: 'reset_link_made', subject: email, outcome: 'done', account_id: null },
        { action: 'password_changed', subject: email, outcome: 'done', account_id: null },
      ]);
    }
  });

  it('422 on a password that is easy to guess, made or set', async () => {
    const { tenantId, email } = await world.newAdmin();
    const list = `/internal/tenants/${tenantId}/admins`;
    const weak = {
      status: 422,
      body: { errors: { password: [expect.stringContaining('too easy to guess')] } },
    };
    const body = { email: 'new@salon.example', password: 'password12' };
    expect(await world.asOperator('POST', list, body)).toMatchObject(weak);
    expect(await world.asOperator('PUT', `${list}/password`, { ...body, email })).toMatchObject(weak);
  });

  it('removes any admin, the last one too: the sessions end, the email is free again', async () => {
    const { browser, email, tenantId } = await world.signedIn();
    const list = `/internal/tenants/${tenantId}/admins`;
    const [{ id }] = (await world.asOperator('GET', list)).body.data;
    const stranger = await world.newAdmin();
    const elsewhere = `/internal/tenants/${stranger.tenantId}/admins`;
    const refused = await world.asOperator('DELETE', `${elsewhere}/${id}`);
    expect([refused.status, refused.body.message]).toEqual([404, 'Admin not found.']);
    expect((await browser.json('GET', HOME)).status).toBe(200);

    const removed = await world.asOperator('DELETE', `${list}/${id}`);
    expect([removed.status, removed.body.data]).toEqual([200, { id, deleted: true }]);
    expect((await browser.json('GET', HOME)).status).toBe(401);
    expect(await canSignIn(email, PASSWORD)).toBe(false);
    expect((await world.asOperator('DELETE', `${list}/${id}`)).status).toBe(404);
    expect((await world.asOperator('POST', elsewhere, { email, password: PASSWORD })).status).toBe(201);

    const successor = await world.signedIn({ tenantId });
    const { page } = await successor.browser.html('/settings/audit');
    expect(page.replaceAll(/<[^>]*>/g, ' ')).toMatch(
      new RegExp(`Operator\\s[\\s\\S]{0,200}Removed a person[\\s\\S]{0,200}${email}`),
    );
  });

  it('lists a tenant’s own admins without anything of their passwords', async () => {
    const { tenantId, email } = await world.signedIn();
    const { body } = await world.asOperator('GET', `/internal/tenants/${tenantId}/admins`);
    expect(body.data).toEqual([
      {
        id: expect.any(Number),
        email,
        role: 'owner',
        created_at: expect.any(String),
        last_sign_in_at: expect.any(String),
      },
    ]);
  });
});
