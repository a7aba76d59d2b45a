import { randomUUID } from 'node:crypto';
import { systemSql, tenantSql } from '@frontdesk/database';
import { findMemberByEmail } from '../../../../services/settings-ui/src/accounts/membership.repository.ts';
import { listEntries } from '../../../../services/settings-ui/src/audit/audit-entry.repository.ts';
import { eventually, lockWaits, type ReceivedMail } from '../../../support/index.ts';
import { operator } from '../../gateway/gateway-world.ts';
import type { Browser } from '../inject-browser.ts';
import { NOBODY, PASSWORD, type SettingsWorld, startSettingsWorld } from '../settings-world.ts';

const makeOld = systemSql<never, { id: number }>(
  'test_make_invitation_old',
  `update admin_invitations set expires_at = now() where id = $id`,
);

const lockInvitations = tenantSql<never>(
  'test_lock_invitations',
  'select id from admin_invitations where tenant_id = $tenantId for update',
);
const removeAll = tenantSql<never>('test_remove_all', 'delete from memberships where tenant_id = $tenantId');

const makeRefusal = systemSql(
  'test_make_refusal',
  "create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$",
);
const refuseEmails = systemSql(
  'test_refuse_emails',
  'create trigger refuse_emails before insert on emails for each row execute function refuse()',
);
const takeEmails = systemSql('test_take_emails', 'drop function refuse() cascade');

let world: SettingsWorld;
beforeAll(async () => {
  world = await startSettingsWorld();
});
afterAll(() => world.stop());

const PEOPLE = '/settings/people';
const INVITATIONS = `${PEOPLE}/invitations`;
const ORIGIN = 'http://settings.example.com';

const newGuest = () => `guest-${randomUUID()}@salon.example`;

const tokenIn = ({ link }: ReceivedMail) => new URL(link ?? '').searchParams.get('token') ?? '';
/** @returns the invitation with the token of the link that its email has */
async function invite(browser: Browser, email: string) {
  const before = world.mail.to(email).length;
  const { status, body } = await browser.json('POST', INVITATIONS, { email });
  expect(status).toBe(201);
  const sent = await eventually(() => {
    const [newest] = world.mail.to(email).slice(before);
    if (!newest) throw new Error('no email yet');
    return newest;
  });
  return { id: body.data.id as number, token: tokenIn(sent) };
}
const accept = (token: string, password = PASSWORD) =>
  world.browser().form('/settings/invitation', { token, new_password: password });

describe('an invitation', () => {
  it('422 for a password that is easy to guess, and works still', async () => {
    const { browser } = await world.signedIn();
    const token = (await invite(browser, newGuest())).token;
    const weak = await accept(token, 'password12');
    expect([weak.status, weak.page.includes('This password is too easy to guess')]).toEqual([422, true]);
    expect((await accept(token)).status).toBe(303);
  });

  it('goes by mail to the address alone, and makes an admin of who opens it', async () => {
    const { browser, email } = await world.signedIn();
    const guest = newGuest();
    const made = await browser.form(INVITATIONS, { email: guest });
    expect([made.status, made.headers.location]).toEqual([303, `${PEOPLE}?done=invitation-sent`]);
    const program = await browser.json('POST', INVITATIONS, { email: newGuest() });
    expect(Object.keys(program.body.data).toSorted()).toEqual(['email', 'expires_at', 'id', 'role']);
    expect((await browser.html(PEOPLE)).page).not.toContain('token=');
    const sent = await world.mail.waitFor(guest);
    expect(sent.text).toContain(`${email} has invited you`);
    expect(sent.link).toMatch(/^http:\/\/settings\.example\.com\/settings\/invitation\?token=[\w-]{43}$/);

    const opened = await world.browser().html((sent.link ?? '').slice(ORIGIN.length));
    expect(opened.page).toContain('Join Salon');
    expect(opened.page).toContain(`${email} invites you`);
    const answer = await accept(tokenIn(sent));
    expect([answer.status, answer.headers.location]).toEqual([
      303,
      '/settings/sign-in?done=invitation-accepted',
    ]);
    const { page } = await world.browser().html(String(answer.headers.location));
    expect(page).toContain('You have access now.');
    const joined = world.browser();
    expect((await joined.signIn(guest, PASSWORD)).status).toBe(200);
    const { body } = await joined.json('GET', PEOPLE);
    expect(body.data.admins).toEqual([
      expect.objectContaining({ email }),
      expect.objectContaining({ email: guest }),
    ]);
    const audit = (await browser.html('/settings/audit')).page;
    for (const words of ['Invited someone', 'Accepted an invitation', `invited by ${email} (member `])
      expect(audit).toContain(words);
    const told = await world.mail.waitFor(email, ({ subject }) => subject.includes('has joined'));
    expect(told.text).toContain(guest);
  });

  it('is told of in the log by the ids of account, membership and inviter, and of nobody where it was refused', async () => {
    const inviter = await world.signedIn();
    const known = await world.newAdmin();
    const own = world.browser();
    await own.signIn(known.email, PASSWORD);
    const scope = world.database.forTenant(inviter.tenantId);
    const inviterId = (await findMemberByEmail(scope, inviter.email))?.id;
    for (const [guest, browser] of [
      [newGuest(), world.browser()],
      [known.email, own],
    ] as const) {
      const { token } = await invite(inviter.browser, guest);
      const sent = { token, new_password: PASSWORD };
      // All three find it, and wait for it.
      const { answers } = await scope.transaction(async (tx) => {
        await tx.run(lockInvitations);
        const answers = [1, 2, 3].map(() => browser.json('POST', '/settings/invitation', sent));
        await eventually(async () => expect((await lockWaits(world.database)).all).toBe(3));
        return { answers };
      });
      await Promise.all(answers);
      const entries = (await listEntries(scope, { count: 50 })).filter(({ actor }) => actor === guest);
      const accepted = entries.filter(({ action }) => action === 'invitation_accepted');
      const member = await findMemberByEmail(scope, guest);
      const [done, ...refused] = accepted.toSorted((a, b) => a.outcome.localeCompare(b.outcome));
      expect(done).toMatchObject({
        outcome: 'done',
        account_id: member?.account_id,
        membership_id: member?.id,
        subject: `invited by ${inviter.email} (member ${inviterId})`,
      });
      expect(refused).toHaveLength(2);
      for (const each of refused)
        expect(each).toMatchObject({ outcome: 'refused', account_id: null, membership_id: null });
    }
  });

  it('can be sent again; each of its links is good until one is used', async () => {
    const { browser } = await world.signedIn();
    const guest = newGuest();
    const { id, token } = await invite(browser, guest);
    const again = await browser.form(`${INVITATIONS}/${id}/send-again`, {});
    expect([again.status, again.headers.location]).toEqual([303, `${PEOPLE}?done=invitation-sent`]);
    const third = await invite(browser, guest);
    expect(third.id).toBe(id);
    await eventually(() => expect(world.mail.to(guest)).toHaveLength(3));
    const tokens = world.mail.to(guest).map(tokenIn);
    expect(new Set(tokens).size).toBe(3);
    for (const each of tokens)
      expect((await world.browser().html(`/settings/invitation?token=${each}`)).page).toContain('Join Salon');
    expect((await accept(token)).status).toBe(303);
    for (const each of tokens) expect((await accept(each)).status).toBe(422);
    expect((await browser.json('POST', `${INVITATIONS}/${id}/send-again`, {})).status).toBe(404);
  });

  it('five emails an hour go to an address; who invites sees no difference, and sends twenty', async () => {
    const { browser } = await world.signedIn();
    const guest = newGuest();
    for (let times = 0; times < 7; times += 1)
      expect((await browser.json('POST', INVITATIONS, { email: guest })).status).toBe(201);
    const last = newGuest();
    await invite(browser, last);
    await eventually(() => expect(world.mail.to(guest)).toHaveLength(5));
    for (let times = 8; times < 20; times += 1)
      expect((await browser.json('POST', INVITATIONS, { email: guest })).status).toBe(201);
    const refused = await browser.json('POST', INVITATIONS, { email: guest });
    expect(world.mail.to(guest)).toHaveLength(5);
    expect([refused.status, refused.body.message]).toEqual([
      429,
      expect.stringContaining('You have sent 20 emails within the hour.'),
    ]);
  });

  it('goes out however often one to the address was revoked before, and one that is refused counts for nothing', async () => {
    const tenant = await world.gatewayWorld.newTenant(world.gateway, { plan: 'starter' });
    const { browser } = await world.signedIn({ tenantId: tenant });
    const guest = newGuest();
    for (let times = 0; times < 7; times += 1) {
      const { id } = await invite(browser, guest);
      expect((await browser.json('DELETE', `${INVITATIONS}/${id}`)).status).toBe(200);
    }
    const { id } = await invite(browser, guest);
    for (let times = 0; times < 3; times += 1) await invite(browser, newGuest());
    for (let times = 0; times < 12; times += 1)
      expect((await browser.json('POST', INVITATIONS, { email: newGuest() })).body.code).toBe(
        'quota_exceeded',
      );
    expect((await browser.json('POST', `${INVITATIONS}/${id}/send-again`, {})).status).toBe(200);
    await eventually(() => expect(world.mail.to(guest)).toHaveLength(9));
  });

  it('counts for nothing where it fails', async () => {
    const { browser } = await world.signedIn();
    const guest = newGuest();
    const { id } = await invite(browser, guest);
    await world.database.system.run(makeRefusal);
    await world.database.system.run(refuseEmails);
    try {
      for (const [path, body] of [
        [INVITATIONS, { email: guest }],
        [`${INVITATIONS}/${id}/send-again`, {}],
      ] as const)
        for (let times = 0; times < 4; times += 1)
          expect((await browser.json('POST', path, body)).status).toBe(500);
    } finally {
      await world.database.system.run(takeEmails);
    }
    for (let times = 0; times < 4; times += 1) await invite(browser, guest);
  });

  it('is used once, also by two at the same moment', async () => {
    const { browser } = await world.signedIn();
    const token = (await invite(browser, newGuest())).token;
    const answers = await Promise.all([accept(token), accept(token), accept(token)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 422, 422]);
    const again = await accept(token);
    expect(again.page).toContain('has been used or revoked, or has expired');
    expect((await browser.json('GET', PEOPLE)).body.data.admins).toHaveLength(2);
  });

  it('is void once revoked, too old, or made by who has been removed', async () => {
    const { browser, tenantId } = await world.signedIn();
    const guest = newGuest();
    const first = await invite(browser, guest);
    const revoked = await browser.form(`${INVITATIONS}/${first.id}/revoke`, {});
    expect([revoked.status, revoked.headers.location]).toEqual([303, `${PEOPLE}?done=invitation-revoked`]);
    expect((await accept(first.token)).status).toBe(422);
    expect((await browser.json('DELETE', `${INVITATIONS}/${first.id}`)).status).toBe(404);

    const second = await invite(browser, guest);
    await world.database.system.run(makeOld, { id: second.id });
    expect((await accept(second.token)).status).toBe(422);

    const other = await world.signedIn({ tenantId });
    const third = await invite(other.browser, guest);
    const { admins } = (await browser.json('GET', PEOPLE)).body.data;
    const { id } = admins.find(({ email }: { email: string }) => email === other.email);
    await browser.json('DELETE', `${PEOPLE}/${id}`);
    expect((await accept(third.token)).status).toBe(422);
  });

  it('has one answer, whoever has the address: nobody, a member, an admin elsewhere or of a suspended business', async () => {
    const { browser, email } = await world.signedIn();
    const [elsewhere, suspended] = [await world.newAdmin(), await world.newAdmin()];
    const path = `/internal/tenants/${suspended.tenantId}`;
    await world.gatewayWorld.internal(world.gateway, operator, 'PATCH', path, { status: 'suspended' });
    const answers = [];
    for (const each of [newGuest(), email, elsewhere.email, suspended.email]) {
      const { status, body } = await browser.json('POST', INVITATIONS, { email: each.toUpperCase() });
      answers.push([status, Object.keys(body.data), body.data.email === each.toUpperCase()]);
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    const { page } = await browser.html(PEOPLE);
    expect(page).toContain(elsewhere.email.toUpperCase());
  });

  it('422 beside the field', async () => {
    const { browser } = await world.signedIn();
    const odd = await browser.form(INVITATIONS, { email: 'no address' });
    expect([odd.status, odd.page]).toEqual([
      422,
      expect.stringMatching(/value="no address"[\s\S]*id="email-error"/),
    ]);
    const { token } = await invite(browser, newGuest());
    const short = await accept(token, 'short');
    expect([short.status, short.page]).toEqual([422, expect.stringContaining('id="new_password-error"')]);
    const none = await world.browser().json('POST', '/settings/invitation', { token });
    expect([none.status, Object.keys(none.body.errors)]).toEqual([422, ['new_password']]);
  });

  it('403 while the business is suspended; the link is good afterwards', async () => {
    const { browser, tenantId } = await world.signedIn();
    const token = (await invite(browser, newGuest())).token;
    const setStatus = (status: string) =>
      world.gatewayWorld.internal(world.gateway, operator, 'PATCH', `/internal/tenants/${tenantId}`, {
        status,
      });
    await setStatus('suspended');
    const refused = await accept(token);
    expect([refused.status, refused.page]).toEqual([
      403,
      expect.stringContaining('This business is suspended.'),
    ]);
    expect((await browser.json('GET', PEOPLE)).body.data.admins).toHaveLength(1);
    await setStatus('active');
    expect((await accept(token)).status).toBe(303);
  });

  it('403 from another site', async () => {
    const { browser } = await world.signedIn();
    const token = (await invite(browser, newGuest())).token;
    const fields = { token, new_password: PASSWORD };
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect((await world.browser().form('/settings/invitation', fields, headers)).status).toBe(403);
  });
});

describe('removing an admin', () => {
  const pair = async () => {
    const one = await world.signedIn();
    const other = await world.signedIn({ tenantId: one.tenantId });
    const { admins } = (await one.browser.json('GET', PEOPLE)).body.data;
    const idOf = (wanted: string) =>
      admins.find(({ email }: { email: string }) => email === wanted).id as number;
    return { one: { ...one, id: idOf(one.email) }, other: { ...other, id: idOf(other.email) } };
  };

  it('ends their sessions at once; they can’t sign in again', async () => {
    const { one, other } = await pair();
    const answer = await one.browser.form(`${PEOPLE}/${other.id}/remove`, {});
    expect([answer.status, answer.headers.location]).toEqual([303, `${PEOPLE}?done=admin-removed`]);
    expect((await other.browser.json('GET', '/settings/api')).status).toBe(401);
    expect((await world.browser().signIn(other.email, PASSWORD)).status).toBe(401);
    expect((await one.browser.html('/settings/audit')).page).toContain('Removed a person');
  });

  it('422 for oneself', async () => {
    const { one } = await pair();
    const answer = await one.browser.form(`${PEOPLE}/${one.id}/remove`, {});
    expect([answer.status, answer.page]).toEqual([422, expect.stringContaining('You can’t remove yourself')]);
    expect((await one.browser.json('GET', PEOPLE)).status).toBe(200);
  });

  it('two who remove each other: one stays', async () => {
    const { one, other } = await pair();
    const statuses = await Promise.all([
      one.browser.json('DELETE', `${PEOPLE}/${other.id}`),
      other.browser.json('DELETE', `${PEOPLE}/${one.id}`),
    ]);
    expect(statuses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
    const { body } = await world.asOperator('GET', `/internal/tenants/${one.tenantId}/admins`);
    expect(body.data).toHaveLength(1);
  });

  it('404 for another tenant’s admin and invitation', async () => {
    const { one } = await pair();
    const stranger = await world.signedIn();
    const { id } = await invite(one.browser, newGuest());
    for (const [path, kind] of [
      [`${PEOPLE}/${one.id}`, 'Admin'],
      [`${INVITATIONS}/${id}`, 'Invitation'],
    ]) {
      const answer = await stranger.browser.json('DELETE', String(path));
      expect([answer.status, answer.body.message]).toEqual([404, `${kind} not found.`]);
    }
    expect((await stranger.browser.html(PEOPLE)).page).not.toContain(one.email);
    expect((await one.browser.json('GET', PEOPLE)).body.data).toMatchObject({
      admins: [{}, {}],
      invitations: [{ id }],
    });
  });
});

describe('an invitation of who has an account', () => {
  const invited = async () => {
    const { browser, tenantId } = await world.signedIn();
    const guest = await world.newAdmin();
    const { token } = await invite(browser, guest.email);
    return { browser, tenantId, guest, token };
  };
  const joinAs = (browser: Browser, token: string, more: object = {}) =>
    browser.json('POST', '/settings/invitation', { token, ...more });

  it('is accepted by signing in, and never sets a password', async () => {
    const { tenantId, guest, token } = await invited();
    const path = `/settings/invitation?token=${token}`;
    const stranger = await world.browser().html(path);
    expect(stranger.page).toContain(`Sign in as <strong>${guest.email}</strong> to join.`);
    expect(stranger.page).toContain(`href="/settings/sign-in?next=${encodeURIComponent(path)}"`);
    expect(stranger.page).not.toContain('new_password');
    const refused = await joinAs(world.browser(), token, { new_password: 'four quiet herons' });
    expect([refused.status, refused.body.code]).toEqual([401, 'unauthorized']);
    expect((await world.browser().signIn(guest.email, 'four quiet herons')).status).toBe(401);

    const own = world.browser();
    const signedIn = await own.form('/settings/sign-in', {
      email: guest.email,
      password: PASSWORD,
      next: path,
    });
    expect(signedIn.headers.location).toBe(path);
    expect((await own.html(path)).page).toContain('Accept invitation');
    const joined = await own.form('/settings/invitation', { token });
    expect([joined.status, joined.headers.location]).toEqual([303, '/settings?done=joined']);
    expect((await own.html('/settings/switch-business')).page).toContain(
      `value="${tenantId}" aria-current="true"`,
    );
    const { body } = await world.browser().signIn(guest.email, PASSWORD);
    expect(body.data.businesses.map(({ id }: { id: number }) => id)).toEqual([tenantId, guest.tenantId]);
  });

  it('answers a program with the token of the session that it opens; who is new signs in first', async () => {
    const { browser, guest, token, tenantId } = await invited();
    const own = world.browser();
    await own.signIn(guest.email, PASSWORD);
    const { body } = await joinAs(own, token);
    expect(body.data).toEqual({ id: tenantId, csrf_token: expect.any(String) });
    const change = await own.json('POST', '/settings/sign-out', {}, body.data.csrf_token);
    expect(change.status).toBe(200);
    const other = await invite(browser, newGuest());
    const made = await joinAs(world.browser(), other.token, { new_password: PASSWORD });
    expect(made.body.data).toEqual({ id: tenantId, csrf_token: null });
  });

  it('is void for an account that goes with its last membership at that moment', async () => {
    const { guest, token, browser, tenantId } = await invited();
    const own = world.browser();
    await own.signIn(guest.email, PASSWORD);
    const add = `/internal/tenants/${tenantId}/admins`;
    const waiting = await world.database.forTenant(guest.tenantId).transaction(async (tx) => {
      await tx.run(removeAll);
      // Whoever joins waits for the account.
      const joins = [joinAs(own, token), world.asOperator('POST', add, { email: guest.email })];
      await eventually(async () => expect((await lockWaits(world.database)).all).toBe(2));
      return { joins };
    });
    const [joined, added] = await Promise.all(waiting.joins);
    expect([joined?.status, Object.keys(joined?.body.errors)]).toEqual([422, ['token']]);
    expect([added?.status, Object.keys(added?.body.errors)]).toEqual([422, ['email']]);
    expect((await browser.json('GET', PEOPLE)).body.data.admins).toHaveLength(1);
  });

  it('401 for whoever else is signed in, who is told as whom to sign in', async () => {
    const { guest, token } = await invited();
    const other = await world.signedIn();
    expect((await joinAs(other.browser, token)).status).toBe(401);
    const { page } = await other.browser.html(`/settings/invitation?token=${token}`);
    expect(page).toContain(`You are signed in as <strong>${other.email}</strong>.`);
    expect(page).toContain(guest.email);
  });

  it('of two acceptances at once one counts; of a member already nothing changes', async () => {
    const { guest, token, browser } = await invited();
    const own = world.browser();
    await own.signIn(guest.email, PASSWORD);
    const jar = new Map(own.jar);
    const twin = world.browser();
    for (const [name, value] of jar) twin.jar.set(name, value);
    const answers = await Promise.all([joinAs(own, token), joinAs(twin, token)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
    expect((await browser.json('GET', PEOPLE)).body.data.admins).toHaveLength(2);
    const again = await invite(browser, guest.email);
    const member = answers[0]?.status === 200 ? own : twin;
    expect((await joinAs(member, again.token)).status).toBe(200);
    expect((await browser.json('GET', PEOPLE)).body.data.admins).toHaveLength(2);
  });
});

// The last: its process takes emails too, and can’t say of which business they are.
it('503 without the gateway where a suspension has to be ruled out; the page itself is shown', async () => {
  const { browser: elsewhere } = await world.signedIn();
  const { token } = await invite(elsewhere, newGuest());
  const on = await world.startSettings({ GATEWAY_INTERNAL_URL: NOBODY });
  const { browser } = await world.signedIn({ on });
  // How many the plan allows is the gateway's to say.
  expect((await browser.json('POST', INVITATIONS, { email: newGuest() })).status).toBe(503);
  const { status, page } = await world.browser(on).html(`/settings/invitation?token=${token}`);
  expect([status, page]).toEqual([200, expect.stringContaining('You are invited')]);
  const fields = { token, new_password: PASSWORD };
  expect((await world.browser(on).form('/settings/invitation', fields)).status).toBe(503);
  expect((await accept(token)).status).toBe(303);
});
