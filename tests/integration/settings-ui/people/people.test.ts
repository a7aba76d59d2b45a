import { randomUUID } from 'node:crypto';
import { systemSql } from '@frontdesk/database';
import { operator } from '../../gateway/gateway-world.ts';
import type { Browser } from '../inject-browser.ts';
import { NOBODY, PASSWORD, type SettingsWorld, startSettingsWorld } from '../settings-world.ts';

const makeOld = systemSql<never, { id: number }>(
  'test_make_invitation_old',
  `update admin_invitations set expires_at = now() where id = $id`,
);

let world: SettingsWorld;
beforeAll(async () => {
  world = await startSettingsWorld();
});
afterAll(() => world.stop());

const PEOPLE = '/settings/people';
const INVITATIONS = `${PEOPLE}/invitations`;
const ORIGIN = 'http://settings.example.com';

const newGuest = () => `guest-${randomUUID()}@salon.example`;

const invite = async (browser: Browser, email: string) =>
  (await browser.json('POST', INVITATIONS, { email })).body.data as { id: number; url: string };
const tokenOf = ({ url }: { url: string }) => new URL(url).searchParams.get('token') ?? '';
const accept = (token: string, password = PASSWORD) =>
  world.browser().form('/settings/invitation', { token, new_password: password });

describe('an invitation', () => {
  it('422 for a password that is easy to guess, and works still', async () => {
    const { browser } = await world.signedIn();
    const token = tokenOf(await invite(browser, newGuest()));
    const weak = await accept(token, 'password12');
    expect([weak.status, weak.page.includes('This password is too easy to guess')]).toEqual([422, true]);
    expect((await accept(token)).status).toBe(303);
  });

  it('is shown once as a link, and makes an admin of whom it names', async () => {
    const { browser, email } = await world.signedIn();
    const guest = newGuest();
    const made = await browser.form(INVITATIONS, { email: guest });
    expect(made.status).toBe(201);
    const [url = ''] =
      /http:\/\/settings\.example\.com\/settings\/invitation\?token=[\w-]{43}/.exec(made.page) ?? [];
    expect((await browser.html(PEOPLE)).page).not.toContain('token=');

    const opened = await world.browser().html(url.slice(ORIGIN.length));
    expect(opened.page).toContain('Join Salon');
    expect(opened.page).toContain(`${email} invites you`);
    const answer = await accept(tokenOf({ url }));
    expect([answer.status, answer.headers.location]).toEqual([
      303,
      '/settings/sign-in?done=invitation-accepted',
    ]);
    const { page } = await world.browser().html(String(answer.headers.location));
    expect(page).toContain('You have access now.');
    const joined = world.browser();
    expect((await joined.signIn(guest, PASSWORD)).status).toBe(200);
    const { body } = await joined.json('GET', PEOPLE);
    expect(body.data).toEqual({
      admins: [expect.objectContaining({ email }), expect.objectContaining({ email: guest })],
      invitations: [],
    });
    const audit = (await browser.html('/settings/audit')).page;
    for (const words of ['Invited someone', 'Accepted an invitation', `invited by ${email}`])
      expect(audit).toContain(words);
  });

  it('is used once, also by two at the same moment', async () => {
    const { browser } = await world.signedIn();
    const token = tokenOf(await invite(browser, newGuest()));
    const answers = await Promise.all([accept(token), accept(token), accept(token)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 422, 422]);
    const again = await accept(token);
    expect(again.page).toContain('has been used or revoked, or has expired');
    expect((await browser.json('GET', PEOPLE)).body.data.admins).toHaveLength(2);
  });

  it('is void once revoked, replaced by another, too old, or made by who has been removed', async () => {
    const { browser, tenantId } = await world.signedIn();
    const guest = newGuest();
    const first = await invite(browser, guest);
    const second = await invite(browser, guest);
    expect((await accept(tokenOf(first))).status).toBe(422);
    const revoked = await browser.form(`${INVITATIONS}/${second.id}/revoke`, {});
    expect([revoked.status, revoked.headers.location]).toEqual([303, `${PEOPLE}?done=invitation-revoked`]);
    expect((await accept(tokenOf(second))).status).toBe(422);
    expect((await browser.json('DELETE', `${INVITATIONS}/${second.id}`)).status).toBe(404);

    const third = await invite(browser, guest);
    await world.database.system.run(makeOld, { id: third.id });
    expect((await accept(tokenOf(third))).status).toBe(422);

    const other = await world.signedIn({ tenantId });
    const fourth = await invite(other.browser, guest);
    const { admins } = (await browser.json('GET', PEOPLE)).body.data;
    const { id } = admins.find(({ email }: { email: string }) => email === other.email);
    await browser.json('DELETE', `${PEOPLE}/${id}`);
    expect((await accept(tokenOf(fourth))).status).toBe(422);
  });

  it('422 beside the field; and nothing is revealed of another tenant’s admins', async () => {
    const { browser, email } = await world.signedIn();
    const own = await browser.form(INVITATIONS, { email: email.toUpperCase() });
    expect([own.status, own.page]).toEqual([422, expect.stringContaining('already has access')]);
    const odd = await browser.form(INVITATIONS, { email: 'no address' });
    expect([odd.status, odd.page]).toEqual([
      422,
      expect.stringMatching(/value="no address"[\s\S]*id="email-error"/),
    ]);
    const stranger = await world.newAdmin();
    const made = await browser.json('POST', INVITATIONS, { email: stranger.email });
    expect(made.status).toBe(201);
    const refused = await accept(tokenOf(made.body.data));
    expect([refused.status, refused.page]).toEqual([
      422,
      expect.stringContaining('has been used or revoked, or has expired'),
    ]);
    expect(refused.page).not.toContain(stranger.email);
    const short = await accept(tokenOf(made.body.data), 'short');
    expect([short.status, short.page]).toEqual([422, expect.stringContaining('id="new_password-error"')]);
  });

  it('403 while the business is suspended; the link is good afterwards', async () => {
    const { browser, tenantId } = await world.signedIn();
    const token = tokenOf(await invite(browser, newGuest()));
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
    const token = tokenOf(await invite(browser, newGuest()));
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
    expect((await one.browser.html('/settings/audit')).page).toContain('Removed an admin');
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

it('503 without the gateway where a suspension has to be ruled out; the page itself is shown', async () => {
  const on = await world.startSettings({ GATEWAY_INTERNAL_URL: NOBODY });
  const { browser } = await world.signedIn({ on });
  // How many the plan allows is the gateway's to say.
  expect((await browser.json('POST', INVITATIONS, { email: newGuest() })).status).toBe(503);
  const { browser: elsewhere } = await world.signedIn();
  const made = await invite(elsewhere, newGuest());
  const { status, page } = await world.browser(on).html(made.url.slice(ORIGIN.length));
  expect([status, page]).toEqual([200, expect.stringContaining('You are invited')]);
  const fields = { token: tokenOf(made), new_password: PASSWORD };
  expect((await world.browser(on).form('/settings/invitation', fields)).status).toBe(503);
  expect((await accept(tokenOf(made))).status).toBe(303);
});
