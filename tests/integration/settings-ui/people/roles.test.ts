import { randomUUID } from 'node:crypto';
import { MEMBER_ROLES, type MemberRole, ROLE_SCOPES } from '@frontdesk/contracts';
import { SETTINGS_GROUPS } from '../../../../services/settings-ui/src/ui/navigation.rules.ts';
import { scopeOfPage } from '../../../../services/settings-ui/src/ui/page-scopes.rules.ts';
import type { Browser } from '../inject-browser.ts';
import { ended, liveMarkups } from '../live-markups.ts';
import { startWithRoutes } from '../registered-routes.ts';
import { PASSWORD, type SettingsWorld, startSettingsWorld, UNANSWERED } from '../settings-world.ts';

let world: SettingsWorld;
beforeAll(async () => {
  world = await startSettingsWorld();
});
afterAll(() => world.stop());

const PEOPLE = '/settings/people';

/** An owner, and somebody else of the same business. */
async function businessWith(role: MemberRole) {
  const owner = await world.signedIn();
  const member = await world.signedIn({ tenantId: owner.tenantId, role });
  const { admins } = (await owner.browser.json('GET', PEOPLE)).body.data;
  const { id } = admins.find((one: { email: string }) => one.email === member.email);
  return { owner, email: member.email, id, browser: member.browser };
}
const setRole = (by: Browser, id: number, role: string) => by.json('POST', `${PEOPLE}/${id}/role`, { role });

const FOR_ALL = [
  '/settings/business/services',
  '/settings/business/staff',
  '/settings/business/opening-hours',
  '/settings/api/docs',
  '/settings/statistics',
];
/** The pages of the settings that each role opens. */
const PAGES: Record<MemberRole, string[]> = {
  owner: [
    ...FOR_ALL,
    '/settings/business',
    '/settings/calls/sources',
    '/settings/audit',
    '/settings/people',
    '/settings/api',
  ],
  manager: [...FOR_ALL, '/settings/business', '/settings/calls/sources', '/settings/audit'],
  receptionist: FOR_ALL,
  developer: [...FOR_ALL, '/settings/calls/sources', '/settings/api'],
  viewer: FOR_ALL,
};
const NOT_ALLOWED = 'Your role in this business doesn’t allow that.';

describe.each(MEMBER_ROLES)('a %s', (role) => {
  it('gets the pages that the role opens, and 403 for all others; the lists of pages have those alone', async () => {
    const { browser } = await businessWith(role);
    const pages = SETTINGS_GROUPS.flatMap((group) => group.pages.map(({ href }) => href));
    expect(pages.toSorted()).toEqual(PAGES.owner.toSorted());
    const { page: list } = await browser.html('/settings/all');
    for (const href of pages) {
      const isOpen = PAGES[role].includes(href);
      const { status, page } = await browser.html(href);
      expect([href, status === 403]).toEqual([href, !isOpen]);
      expect([href, page.includes(NOT_ALLOWED)]).toEqual([href, !isOpen]);
      expect([href, list.includes(`href="${href}"`)]).toEqual([href, isOpen]);
    }
    const people = await browser.json('GET', PEOPLE);
    expect([people.status, people.body.code ?? null]).toEqual(
      role === 'owner' ? [200, null] : [403, 'forbidden'],
    );
  });
});

it('whatever a viewer sends, the page around the refusal shows nothing that the role doesn’t', async () => {
  const { settings, routes } = await startWithRoutes(() => world.startSettings());
  const owner = await world.signedIn();
  const guest = `guest-${randomUUID()}@salon.example`;
  await owner.browser.json('POST', `${PEOPLE}/invitations`, { email: guest });
  const { browser } = await world.signedIn({ tenantId: owner.tenantId, role: 'viewer', on: settings });
  const sent = routes.filter(({ method, url, isInternal }) => {
    const scope = isInternal || method !== 'POST' ? null : scopeOfPage(method, url);
    return scope !== null && !ROLE_SCOPES.viewer.includes(scope);
  });
  expect(sent.length).toBeGreaterThan(50);
  for (const { url } of sent) {
    const answer = await browser.form(url.replaceAll(/:\w+/g, '1'), {});
    expect([url, answer.status, answer.page.includes(NOT_ALLOWED)]).toEqual([url, 403, true]);
    expect([url, [owner.email, guest].filter((known) => answer.page.includes(known))]).toEqual([url, []]);
  }
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

  it('is that of the moment a change is made: who is demoted while they send an invitation invites nobody', async () => {
    const { owner, browser, id } = await businessWith('owner');
    const guests = Array.from({ length: 6 }, () => `guest-${randomUUID()}@salon.example`);
    const invite = (email: string) => browser.json('POST', `${PEOPLE}/invitations`, { email, role: 'owner' });
    const [demoted, ...sent] = await Promise.all([
      setRole(owner.browser, id, 'viewer'),
      ...guests.map((email) => invite(email)),
    ]);
    expect(demoted?.status).toBe(200);
    for (const { status } of sent) expect([201, 403]).toContain(status);
    expect((await owner.browser.json('GET', PEOPLE)).body.data.invitations).toEqual([]);
  });

  it('that changes ends what is open: a stream begins anew with it, or ends for good', async () => {
    const { owner, browser, id } = await businessWith('developer');
    const made = await browser.json('POST', '/settings/api/webhooks', {
      url: UNANSWERED,
      events: ['call.ended'],
    });
    const path = `/settings/api/webhooks/${made.body.data.id}/live`;
    const stream = await liveMarkups(world.settings, browser, path);
    expect((await stream.next()).done).toBe(false);
    await setRole(owner.browser, id, 'viewer');
    await ended(stream);
    expect((await browser.send('GET', path, { accept: 'text/event-stream' })).statusCode).toBe(204);
  });

  it('that an owner gives up leads to a page that they still see', async () => {
    const { browser } = await businessWith('owner');
    const { admins } = (await browser.json('GET', PEOPLE)).body.data;
    const own = admins.at(-1).id;
    const answer = await browser.form(`${PEOPLE}/${own}/role`, { role: 'manager' });
    expect([answer.status, answer.headers.location]).toEqual([303, '/settings?done=role-changed']);
    expect((await browser.html(String(answer.headers.location))).page).toContain('Role changed');
  });

  it('is the operator’s to give where no owner is left', async () => {
    const { browser, email, tenantId } = await world.signedIn();
    const admins = `/internal/tenants/${tenantId}/admins`;
    const { data } = (await world.asOperator('GET', admins)).body as { data: { id: number }[] };
    const set = (role: string) => world.asOperator('PUT', `${admins}/${data[0]?.id}/role`, { role });
    expect((await set('viewer')).body).toMatchObject({ data: { email, role: 'viewer' } });
    expect((await browser.json('GET', PEOPLE)).status).toBe(403);
    expect((await set('owner')).status).toBe(200);
    expect((await browser.html('/settings/audit')).page).toContain(`${email}, owner`);
    expect((await set('nobody')).status).toBe(422);
    expect((await world.asOperator('PUT', `${admins}/1/role`, { role: 'owner' })).status).toBe(404);
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
