import { randomUUID } from 'node:crypto';
import { MEMBER_ROLES, type MemberRole, ROLE_SCOPES } from '@frontdesk/contracts';
import { SETTINGS_GROUPS } from '../../../../services/settings-ui/src/ui/navigation.rules.ts';
import { mayUse } from '../../../../services/settings-ui/src/ui/page-scopes.rules.ts';
import type { Browser } from '../inject-browser.ts';
import { PASSWORD, type SettingsWorld, startSettingsWorld } from '../settings-world.ts';

let world: SettingsWorld;
beforeAll(async () => {
  world = await startSettingsWorld();
});
afterAll(() => world.stop());

const PEOPLE = '/settings/people';

/** An owner, and somebody who has accepted their invitation as this. */
async function businessWith(role: MemberRole) {
  const owner = await world.signedIn();
  const email = `${role}-${randomUUID()}@salon.example`;
  const invited = await owner.browser.json('POST', `${PEOPLE}/invitations`, { email, role });
  expect([invited.status, invited.body.data.role]).toEqual([201, role]);
  const token = await world.tokenSentTo(email);
  await world.browser().form('/settings/invitation', { token, new_password: PASSWORD });
  const browser = world.browser();
  expect((await browser.signIn(email, PASSWORD)).status).toBe(200);
  const { admins } = (await owner.browser.json('GET', PEOPLE)).body.data;
  const { id } = admins.find((one: { email: string }) => one.email === email);
  return { owner, email, id, browser };
}
const setRole = (by: Browser, id: number, role: string) => by.json('POST', `${PEOPLE}/${id}/role`, { role });

describe.each(MEMBER_ROLES)('a %s', (role) => {
  it('gets the pages that the role opens, and 403 for all others; the lists of pages have those alone', async () => {
    const { browser } = await businessWith(role);
    const who = { scopes: ROLE_SCOPES[role] };
    const pages = SETTINGS_GROUPS.flatMap((group) => group.pages.map(({ href }) => href));
    const { page: list } = await browser.html('/settings/all');
    for (const href of pages) {
      const isOpen = mayUse(who, 'GET', href);
      const { status, page } = await browser.html(href);
      expect([href, status === 403]).toEqual([href, !isOpen]);
      if (!isOpen) expect(page).toContain('Your role in this business doesn’t allow that.');
      expect([href, list.includes(`href="${href}"`)]).toEqual([href, isOpen]);
    }
    const people = await browser.json('GET', PEOPLE);
    expect([people.status, people.body.code ?? null]).toEqual(
      role === 'owner' ? [200, null] : [403, 'forbidden'],
    );
  });
});

describe('a role', () => {
  it('counts from the next request on, in sessions that are open', async () => {
    const { owner, browser, id } = await businessWith('owner');
    expect((await browser.json('GET', PEOPLE)).status).toBe(200);
    const changed = await setRole(owner.browser, id, 'viewer');
    expect(changed.body.data).toMatchObject({ id, role: 'viewer' });
    expect((await browser.json('GET', PEOPLE)).body.code).toBe('forbidden');
    expect((await setRole(browser, id, 'owner')).status).toBe(403);
    await setRole(owner.browser, id, 'owner');
    expect((await browser.json('GET', PEOPLE)).status).toBe(200);
    expect((await owner.browser.html('/settings/audit')).page).toContain('Changed a role');
  });

  it('of owner stays with somebody, also where two take it from each other at once', async () => {
    const { owner, browser, id } = await businessWith('owner');
    const { admins } = (await browser.json('GET', PEOPLE)).body.data;
    const own = admins.find((one: { id: number }) => one.id !== id).id;
    const both = await Promise.all([setRole(owner.browser, id, 'viewer'), setRole(browser, own, 'viewer')]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 403]));
    const left = both[0].status === 200 ? { by: owner.browser, id: own } : { by: browser, id };
    const last = await setRole(left.by, left.id, 'manager');
    expect([last.status, Object.keys(last.body.errors)]).toEqual([422, ['role']]);
  });

  it('that is taken away voids what its owner has given: invitations', async () => {
    const { owner, browser, id } = await businessWith('owner');
    const guest = `guest-${randomUUID()}@salon.example`;
    await browser.json('POST', `${PEOPLE}/invitations`, { email: guest, role: 'owner' });
    const token = await world.tokenSentTo(guest);
    await setRole(owner.browser, id, 'receptionist');
    const accepted = await world.browser().form('/settings/invitation', { token, new_password: PASSWORD });
    expect(accepted.status).toBe(422);
  });

  it.each(['admin', '', null, 7, ['owner'], { role: 'owner' }])('422: it can’t be %j', async (role) => {
    const { browser } = await world.signedIn();
    const { admins } = (await browser.json('GET', PEOPLE)).body.data;
    const answers = await Promise.all([
      browser.json('POST', `${PEOPLE}/${admins[0].id}/role`, { role }),
      browser.json('POST', `${PEOPLE}/invitations`, { email: `x-${randomUUID()}@salon.example`, role }),
    ]);
    for (const { status, body } of answers)
      expect([status, Object.keys(body.errors)]).toEqual([422, ['role']]);
  });
});
