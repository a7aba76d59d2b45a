import { type MemberRole, ROLE_SCOPES } from '@frontdesk/contracts';
import type { Page } from 'playwright-core';
import { mayUse } from '../../services/settings-ui/src/ui/page-scopes.rules.ts';
import { bookingOf, createCustomer, freeSlots } from '../e2e/support/business.ts';
import { createCallSource, endedCall, sendCall } from '../e2e/support/calls.ts';
import { eventually } from '../support/index.ts';
import { expectNoFaults } from './axe.ts';
import { useBrowserWorld, useReceiver } from './browser-world.ts';
import { addEndpoint } from './webhook-steps.ts';

const world = useBrowserWorld();
const receiver = useReceiver();

/** More than the pages of a business with one record of each kind. */
const MOST_PAGES = 400;
const TODAY = { to: '/settings', heading: 'Today' };
const SAID = 'A haircut on Friday, please.';

/** A business where every kind of page shows something. */
async function newBusiness(name: string) {
  const business = await world.newBusiness(name);
  const customer = await createCustomer(business.api, 'Mia Wong', '+49 30 901820');
  const [slot] = await freeSlots(business, 2);
  if (!slot) throw new Error('no free slot');
  const booking = bookingOf(slot, customer.id, business.serviceId);
  const appointment = (await business.api('POST', '/appointments', { body: booking })).data();
  const source = await createCallSource(world.target, business.tenant.id);
  for (const fields of [{}, { outcome: 'voicemail', transcript: undefined }]) {
    const call = endedCall({ from_number: '+4930901820', ...fields });
    expect((await sendCall(world.target, source, call)).status).toBe(202);
  }
  return { ...business, appointmentId: (appointment as { id: number }).id, customerId: customer.id };
}

const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name, exact: true });
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const places = async (page: Page) =>
  (await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents()).map((text) =>
    text.trim(),
  );

/** Of each kind of address one: pages of other days and other pages of a list are no others. */
const kindOf = (address: string) => address.replace(/[?#].*$/, '').replaceAll(/\d+/g, ':id');

/** Whatever a page leads to, and where its forms go to, followed from Today. */
async function everyPage(page: Page): Promise<{ path: string; status: number; actions: string[] }[]> {
  const seen = new Set<string>();
  const found: { path: string; status: number; actions: string[] }[] = [];
  const ahead = ['/settings'];
  for (let path = ahead.shift(); path !== undefined; path = ahead.shift()) {
    if (seen.has(kindOf(path))) continue;
    seen.add(kindOf(path));
    expect(seen.size).toBeLessThan(MOST_PAGES);
    const answer = await page.request.get(path, { headers: { accept: 'text/html' } });
    const markup = await answer.text();
    const all = (attribute: string) =>
      [...markup.matchAll(new RegExp(`\\s${attribute}="(/settings[^"]*)"`, 'g'))].map(([, value = '']) =>
        value.replaceAll('&amp;', '&'),
      );
    found.push({ path, status: answer.status(), actions: all('action') });
    ahead.push(...all('href').filter((href) => !/^\/settings\/(assets|account)/.test(href)));
  }
  return found;
}

describe('pages lead nobody to what their role refuses', () => {
  it.each(['owner', 'manager', 'receptionist', 'developer', 'viewer'] as const)(
    '%s',
    async (role: MemberRole) => {
      const business = await newBusiness(`Salon of ${role}`);
      const email = await world.newMember(business, role);
      const page = await world.signIn(await world.newPage(), email, TODAY);
      const pages = await eventually(async () => {
        const all = await everyPage(page);
        // A service that can't be asked just now is no matter of roles.
        expect(all.filter(({ status }) => status >= 500)).toEqual([]);
        return all;
      });
      expect(pages.filter(({ status }) => status !== 200)).toEqual([]);
      const refused = pages.flatMap(({ path, actions }) =>
        actions
          .filter((action) => !mayUse({ scopes: ROLE_SCOPES[role] }, 'POST', action))
          .map((action) => `${path}: ${action}`),
      );
      expect(refused).toEqual([]);
      expect(pages.map(({ path }) => kindOf(path))).toContain('/settings/customers/:id');
    },
  );
});

it('a viewer sees the day, customers and calls, hears nothing said, and finds nothing to press', async () => {
  const business = await newBusiness('Salon Looked At');
  const email = await world.newMember(business, 'viewer');
  const page = await world.signIn(await world.newPage(), email, TODAY);
  expect(await places(page)).toEqual(['Today', 'Calendar', 'Customers', 'Calls', 'Settings']);
  await expectNoFaults(page, 'Today of a viewer');

  await page.goto(`/settings/customers/${business.customerId}`);
  await page.getByRole('heading', { name: 'Mia Wong' }).waitFor();
  expect(await link(page, 'Edit').count()).toBe(0);
  await page.goto(`/settings/calendar/appointments/${business.appointmentId}`);
  await page.getByText('Haircut').first().waitFor();
  for (const name of ['Cancel appointment', 'Move', 'Edit'])
    expect([name, await link(page, name).count(), await button(page, name).count()]).toEqual([name, 0, 0]);
  await expectNoFaults(page, 'an appointment of a viewer');

  await page.goto('/settings/calls');
  await eventually(async () => {
    await page.reload();
    expect(await page.getByRole('table').getByRole('link').count()).toBeGreaterThan(0);
  });
  await page.getByRole('table').getByRole('link').last().click();
  await link(page, 'Open page').click();
  await page.getByRole('heading', { name: /^Call from/ }).waitFor();
  expect(await page.content()).not.toContain(SAID);
  await expectNoFaults(page, 'a call of a viewer');

  await page.goto('/settings/all');
  expect(await link(page, /People/).count()).toBe(0);
  await page.goto('/settings/api');
  await page.getByText('Your role in this business doesn’t allow that.').waitFor();
  await expectNoFaults(page, 'a page that the role doesn’t open');
});

it('a receptionist reads calls and books, and gets neither to people nor to keys', async () => {
  const business = await newBusiness('Salon Desk');
  const email = await world.newMember(business, 'receptionist');
  const page = await world.signIn(await world.newPage(), email, TODAY);
  await page.goto(`/settings/calendar/appointments/${business.appointmentId}`);
  await button(page, 'Cancel appointment').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel appointment' }).click();
  await page.getByText('Appointment cancelled.').waitFor();
  await page.goto('/settings/calls');
  await eventually(async () => {
    await page.reload();
    expect(await page.getByRole('table').getByRole('link').count()).toBeGreaterThan(0);
  });
  await page.getByRole('table').getByRole('link').last().click();
  await link(page, 'Open page').click();
  await page.getByText(SAID).waitFor();
  for (const closed of ['/settings/people', '/settings/api', '/settings/business', '/settings/audit']) {
    await page.goto(closed);
    await page.getByText('Your role in this business doesn’t allow that.').waitFor();
  }
});

it('a developer makes an endpoint and keys of what they have themselves, and changes no staff', async () => {
  const business = await newBusiness('Salon Coded');
  const email = await world.newMember(business, 'developer');
  const page = await world.signIn(await world.newPage(), email);
  await page.getByText('Create a key', { exact: true }).click();
  await page.getByLabel('Name of a new key').fill('Agent');
  // It would erase customers, which a developer doesn’t.
  expect(await page.getByRole('radio', { name: /^Everything/ }).count()).toBe(0);
  await page.getByRole('radio', { name: /^Voice agent/ }).check();
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByText('The key “Agent” is ready.').waitFor();
  await expectNoFaults(page, 'keys of a developer');
  await addEndpoint(page, receiver.url);
  await page.goto(`/settings/business/staff/${business.staffIds[0]}`);
  await page.getByRole('heading', { name: 'Ada' }).waitFor();
  expect(await button(page, /^Save/).count()).toBe(0);
  await expectNoFaults(page, 'a staff member of a developer');
});
