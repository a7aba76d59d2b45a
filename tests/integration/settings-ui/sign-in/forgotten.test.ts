import { randomUUID } from 'node:crypto';
import { systemSql } from '@frontdesk/database';
import { findCredentials } from '../../../../services/settings-ui/src/accounts/account.repository.ts';
import { queueAccountEmail } from '../../../../services/settings-ui/src/mail/email.repository.ts';
import { eventually, type ReceivedMail } from '../../../support/index.ts';
import { operator } from '../../gateway/gateway-world.ts';
import type { Browser } from '../inject-browser.ts';
import { PASSWORD, type SettingsWorld, startSettingsWorld } from '../settings-world.ts';

let world: SettingsWorld;
beforeAll(async () => {
  world = await startSettingsWorld();
});
afterAll(() => world.stop());

const FORGOT = '/settings/forgot';
const NEW_PASSWORD = 'four quiet herons';
const nobody = () => `nobody-${randomUUID()}@salon.example`;
const ask = (email: unknown, on = world.browser()) => on.json('POST', FORGOT, { email });
const tokenIn = ({ link }: ReceivedMail) => new URL(link ?? '').searchParams.get('token') ?? '';
const countEmailsTo = systemSql<{ count: number }, { recipient: string }>(
  'test_count_emails',
  'select count(*) from emails where recipient = $recipient',
);
const moveAccount = systemSql<never, { from: string; to: string }>(
  'test_move_account',
  'update accounts set email = $to, email_folded = $to where email = $from',
);
const isReset = ({ subject }: ReceivedMail) => subject.startsWith('Set a new password');

describe('a forgotten password', () => {
  it('is set by a link that goes by mail; that ends all sessions, and is told', async () => {
    const { email, browser } = await world.signedIn();
    const stranger = world.browser();
    expect((await world.browser().html('/settings/sign-in')).page).toContain(`href="${FORGOT}"`);
    const sent = await stranger.form(FORGOT, { email });
    expect([sent.status, sent.page.includes('Check your email')]).toEqual([202, true]);
    const mail = await world.mail.waitFor(email, isReset);
    const token = tokenIn(mail);
    const opened = await stranger.html(`/settings/reset?token=${token}`);
    expect([opened.status, opened.page.includes('new_password')]).toEqual([200, true]);
    const set = await stranger.form('/settings/reset', { token, new_password: NEW_PASSWORD });
    expect(set.headers.location).toBe('/settings/sign-in?done=password-set');
    expect((await browser.json('GET', '/settings')).status).toBe(401);
    expect((await world.browser().signIn(email, NEW_PASSWORD)).status).toBe(200);
    const told = await world.mail.waitFor(email, ({ subject }) => subject.includes('was changed'));
    expect(told.text).toContain('With a link that was sent to you');
  });

  it('has one answer for any address: unknown, known, of a suspended business; only who has an account gets mail', async () => {
    const [known, suspended] = [await world.newAdmin(), await world.newAdmin()];
    const path = `/internal/tenants/${suspended.tenantId}`;
    await world.gatewayWorld.internal(world.gateway, operator, 'PATCH', path, { status: 'suspended' });
    const unknown = nobody();
    const answers = [];
    for (const email of [unknown, known.email, suspended.email]) {
      const { status, body } = await ask(email);
      const { page } = await world.browser().form(FORGOT, { email });
      answers.push([status, body.data, page.replaceAll(email, 'X').replaceAll(/request_id[^,]*/g, '')]);
    }
    const [first, ...others] = answers;
    expect(first?.slice(0, 2)).toEqual([202, { sent: true }]);
    for (const other of others) expect(other).toEqual(first);
    for (const { email } of [known, suspended]) await world.mail.waitFor(email, isReset);
    expect(world.mail.to(unknown)).toEqual([]);
  });

  it('goes to the account’s own address, however it was written', async () => {
    const { email } = await world.newAdmin();
    await ask(email.toUpperCase());
    const mail = await world.mail.waitFor(email, isReset);
    expect(mail.to).toBe(email);
  });

  it('five links an hour go to an address, which all work until one is used; more are not sent, without a word', async () => {
    const { email } = await world.newAdmin();
    for (let times = 0; times < 7; times += 1) expect((await ask(email)).status).toBe(202);
    await eventually(() => expect(world.mail.to(email).filter(isReset)).toHaveLength(5));
    const other = await world.newAdmin();
    await ask(other.email);
    await world.mail.waitFor(other.email, isReset);
    const tokens = world.mail.to(email).filter(isReset).map(tokenIn);
    expect(new Set(tokens).size).toBe(5);
    const set = (token: string) =>
      world.browser().form('/settings/reset', { token, new_password: NEW_PASSWORD });
    const [first = '', ...rest] = tokens;
    expect((await set(first)).status).toBe(303);
    for (const token of rest) expect((await set(token)).status).toBe(422);
  });

  it('is asked for anew once the five links are void: by a reset, a change, an operator', async () => {
    const { email, tenantId, browser } = await world.signedIn();
    const sent = () => world.mail.to(email).filter(isReset);
    const askFive = async (before: number) => {
      for (let times = 0; times < 6; times += 1) await ask(email);
      return eventually(() => {
        expect(sent()).toHaveLength(before + 5);
        return tokenIn(sent()[before] as ReceivedMail);
      });
    };
    await askFive(0);
    const change = { current_password: PASSWORD, new_password: NEW_PASSWORD };
    expect((await browser.json('POST', '/settings/account/password', change)).status).toBe(200);
    const token = await askFive(5);
    const set = { token, new_password: 'five loud magpies' };
    expect((await world.browser().form('/settings/reset', set)).status).toBe(303);
    await askFive(10);
    const path = `/internal/tenants/${tenantId}/admins/password`;
    expect((await world.asOperator('PUT', path, { email, password: PASSWORD })).status).toBe(200);
    await askFive(15);
  });

  it('429 where one address asks for too many; 403 from another site; 422 in words for whatever is no text', async () => {
    const browser = world.browser();
    const statuses = [];
    for (let times = 0; times < 61; times += 1) statuses.push((await ask(nobody(), browser)).status);
    expect([statuses.slice(0, 60).every((status) => status === 202), statuses[60]]).toEqual([true, 429]);
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect((await world.browser().form(FORGOT, { email: nobody() }, headers)).status).toBe(403);
    for (const email of [null, true, 7, '', ['a@b.example'], {}, `${'x'.repeat(300)}@b.example`]) {
      const { status, body } = await ask(email);
      expect([email, status, body.words]).toEqual([email, 422, expect.any(String)]);
    }
  });

  it('has the same answer for an odd address, which an account of 0.1.0 may have; no mail goes there', async () => {
    const { email } = await world.newAdmin();
    const odd = `${email.split('@')[0]}@desk`;
    await world.database.system.run(moveAccount, { from: email, to: odd });
    expect((await world.browser().signIn(odd, PASSWORD)).status).toBe(200);
    for (const each of [
      odd,
      'x',
      `${email}\r\nBcc: c@d.example`,
      `a,${email}`,
      `<${email}>`,
      `${email} (c)`,
    ]) {
      expect([each, (await ask(each)).status]).toEqual([each, 202]);
      await eventually(async () =>
        expect(await world.database.system.one(countEmailsTo, { recipient: each })).toEqual({ count: 0 }),
      );
    }
    expect([...world.mail.to(odd), ...world.mail.to(email)]).toEqual([]);
  });

  it('links lead to the address of the settings, whatever Host is sent', async () => {
    const { email } = await world.newAdmin();
    await world.browser().send(
      'POST',
      FORGOT,
      {
        host: 'evil.example',
        'x-forwarded-host': 'evil.example',
        'content-type': 'application/json',
        accept: 'application/json',
      },
      JSON.stringify({ email }),
    );
    const mail = await world.mail.waitFor(email, isReset);
    expect(mail.link).toMatch(/^http:\/\/settings\.example\.com\/settings\/reset\?token=[\w-]{43}$/);
    expect(mail.raw).not.toContain('evil.example');
  });
});

describe('another address', () => {
  const EMAIL = '/settings/account/email';
  const change = (browser: Browser, token: string) => browser.json('POST', '/settings/address', { token });

  it('is the account’s once its mail has proven it; both are told; sessions go on', async () => {
    const { email, browser } = await world.signedIn();
    const next = nobody();
    const asked = await browser.form(EMAIL, { email: next });
    expect([asked.status, asked.headers.location]).toEqual([303, '/settings/account?done=address-asked']);
    const mail = await world.mail.waitFor(next);
    expect((await world.browser().signIn(next, PASSWORD)).status).toBe(401);
    const token = tokenIn(mail);
    // Programs that look into mail open links, and press nothing.
    const opened = await browser.html(`/settings/address?token=${token}`);
    expect([opened.page.includes(next), opened.page.includes('Change address')]).toEqual([true, true]);
    expect((await world.browser().signIn(email, PASSWORD)).status).toBe(200);
    expect((await change(browser, token)).body.data).toEqual({ email: next });
    expect((await change(browser, token)).status).toBe(422);
    expect((await world.browser().signIn(next, PASSWORD)).status).toBe(200);
    expect((await world.browser().signIn(email, PASSWORD)).status).toBe(401);
    expect((await browser.html('/settings/account')).page).toContain(next);
    for (const each of [email, next])
      await world.mail.waitFor(
        each,
        ({ subject }) => subject.includes('email address') && subject.includes('was changed'),
      );
    expect((await browser.html('/settings/audit')).page).toContain(`${email} to ${next}`);
  });

  it('is confirmed by nobody but who is signed in with the account: the page leads others to the sign-in', async () => {
    const { email, browser } = await world.signedIn();
    const next = nobody();
    await browser.json('POST', EMAIL, { email: next });
    const token = tokenIn(await world.mail.waitFor(next));
    const { browser: colleague } = await world.signedIn();
    const link = `/settings/address?token=${token}`;
    const toSignIn = `href="/settings/sign-in?next=${encodeURIComponent(link)}"`;
    for (const other of [world.browser(), colleague]) {
      const { status, page } = await other.html(link);
      expect([status, page.includes(toSignIn), page.includes('Change address')]).toEqual([200, true, false]);
      expect(page).toContain(`Sign in as <strong>${email}</strong>`);
      expect((await change(other, token)).body.code).toBe('unauthorized');
      const form = await other.form('/settings/address', { token });
      expect([form.status, form.page.includes(toSignIn)]).toEqual([401, true]);
    }
    const own = world.browser();
    const signedIn = await own.form('/settings/sign-in', { email, password: PASSWORD, next: link });
    expect(signedIn.headers.location).toBe(link);
    const done = await own.form('/settings/address', { token });
    expect([done.status, done.headers.location]).toEqual([303, '/settings/account?done=address-changed']);
  });

  it('is told to the one from before each time that it is asked for, with the way to void it', async () => {
    const { email, browser } = await world.signedIn();
    for (const next of [nobody(), nobody()]) {
      await browser.json('POST', EMAIL, { email: next });
      const told = await world.mail.waitFor(email, ({ text }) => text.includes(next));
      expect([told.subject, told.link]).toEqual([
        expect.stringContaining('was asked for'),
        'http://settings.example.com/settings/forgot',
      ]);
    }
    expect((await world.browser().signIn(email, PASSWORD)).status).toBe(200);
  });

  it('422 for the own one, however it is written', async () => {
    const { email, browser } = await world.signedIn();
    for (const own of [email, email.toUpperCase()]) {
      const { status, body } = await browser.json('POST', EMAIL, { email: own });
      expect([status, body.errors]).toEqual([422, { email: ['You sign in with this address already.'] }]);
    }
    expect(world.mail.to(email)).toEqual([]);
  });

  it('gets its link however many another account, or the one before a new password, had sent to it', async () => {
    const [attacker, owner] = [await world.signedIn(), await world.signedIn()];
    const next = nobody();
    const askAs = async (browser: Browser) =>
      expect((await browser.json('POST', EMAIL, { email: next })).status).toBe(202);
    for (let times = 0; times < 6; times += 1) await askAs(attacker.browser);
    for (let times = 0; times < 6; times += 1) await askAs(owner.browser);
    await eventually(() => expect(world.mail.to(next)).toHaveLength(10));
    const password = { current_password: PASSWORD, new_password: NEW_PASSWORD };
    expect((await owner.browser.json('POST', '/settings/account/password', password)).status).toBe(200);
    expect((await owner.browser.signIn(owner.email, NEW_PASSWORD)).status).toBe(200);
    await askAs(owner.browser);
    const newest = await eventually(() => world.mail.to(next)[10] ?? Promise.reject(new Error('Not yet.')));
    expect(newest.text).toContain(owner.email);
    expect((await change(owner.browser, tokenIn(newest))).body.data).toEqual({ email: next });
  });

  it('that another account has stays theirs; only its owner is told', async () => {
    const { email, browser } = await world.signedIn();
    const other = await world.newAdmin();
    const answer = await browser.json('POST', EMAIL, { email: other.email });
    const free = await browser.json('POST', EMAIL, { email: nobody() });
    expect([answer.status, answer.body.data]).toEqual([free.status, free.body.data]);
    const mail = await world.mail.waitFor(other.email);
    expect([mail.subject, mail.link?.includes('token') ?? false]).toEqual([
      expect.stringContaining('already has an account'),
      false,
    ]);
    expect((await world.browser().signIn(email, PASSWORD)).status).toBe(200);
  });

  it('422 where another account has it by the time that it is confirmed', async () => {
    const { browser } = await world.signedIn();
    const next = nobody();
    await browser.json('POST', EMAIL, { email: next });
    const token = tokenIn(await world.mail.waitFor(next));
    const tenant = (await world.newAdmin()).tenantId;
    const made = await world.asOperator('POST', `/internal/tenants/${tenant}/admins`, {
      email: next,
      password: PASSWORD,
    });
    expect(made.status).toBe(201);
    expect((await change(browser, token)).status).toBe(422);
    expect((await world.browser().signIn(next, PASSWORD)).status).toBe(200);
  });

  it.each<[string, (browser: Browser, email: string) => Promise<number>]>([
    [
      'a new password',
      async (browser) => {
        const body = { current_password: PASSWORD, new_password: NEW_PASSWORD };
        return (await browser.json('POST', '/settings/account/password', body)).status;
      },
    ],
    [
      'a password that was set by a link',
      async (_browser, email) => {
        await ask(email);
        const token = tokenIn(await world.mail.waitFor(email, isReset));
        const sent = { token, new_password: NEW_PASSWORD };
        return (await world.browser().form('/settings/reset', sent)).status;
      },
    ],
    [
      'signing out everywhere else',
      async (browser) => (await browser.json('POST', '/settings/account/sessions/end-others', {})).status,
    ],
  ])(
    'isn’t changed by what was asked for before %s: not by a link, nor by an email that is written later',
    async (_what, end) => {
      const { email, browser } = await world.signedIn();
      const [next, late] = [nobody(), nobody()];
      await browser.json('POST', EMAIL, { email: next });
      const token = tokenIn(await world.mail.waitFor(next));
      const account = await findCredentials(world.database.system, email);
      expect([200, 303]).toContain(await end(browser, email));
      expect((await change(browser, token)).status).toBe(422);
      expect((await world.browser().html(`/settings/address?token=${token}`)).status).toBe(422);
      // As it waits where a service is away that the email has to ask.
      await queueAccountEmail(world.database.system, {
        kind: 'address_link',
        recipients: [late],
        details: { account_id: account?.id ?? 0, credentials_version: 1, sessions_version: 1 },
        tenantId: null,
      });
      await eventually(async () =>
        expect(await world.database.system.one(countEmailsTo, { recipient: late })).toEqual({ count: 0 }),
      );
      expect(world.mail.to(late)).toEqual([]);
    },
  );
});

describe('who has an account', () => {
  it('is added by operators without a password, which nobody but its owner sets', async () => {
    const { email } = await world.newAdmin();
    const { tenantId, browser } = await world.signedIn();
    const url = `/internal/tenants/${tenantId}/admins`;
    const refused = await world.asOperator('POST', url, { email, password: NEW_PASSWORD });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['password']]);
    expect((await world.asOperator('POST', url, { email: nobody() })).status).toBe(422);
    const joined = await world.asOperator('POST', url, { email });
    expect([joined.status, joined.body.data.email]).toEqual([201, email]);
    expect((await world.asOperator('POST', url, { email })).status).toBe(422);
    expect((await browser.json('GET', '/settings/people')).body.data.admins).toHaveLength(2);
    expect((await world.browser().signIn(email, PASSWORD)).body.code).toBe('business_required');
  });
});
