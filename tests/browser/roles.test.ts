import { MEMBER_ROLES, ROLE_SCOPES } from '@frontdesk/contracts';
import type { Page } from 'playwright-core';
import { mayUse } from '../../services/settings-ui/src/ui/page-scopes.rules.ts';
import { bookingOf, createCustomer, DOCUMENT, freeSlots } from '../e2e/support/business.ts';
import { createCallSource, endedCall, sendCall } from '../e2e/support/calls.ts';
import { eventually } from '../support/index.ts';
import { expectNoFaults } from './axe.ts';
import { type BusinessOfAdmin, useBrowserWorld, useReceiver } from './browser-world.ts';
import { addEndpoint } from './webhook-steps.ts';

const world = useBrowserWorld();
const receiver = useReceiver();

/** More than the pages of a business with a few records of each kind. */
const MOST_PAGES = 600;
/** Of each kind of page: a record may lead elsewhere than the first one does. */
const MOST_OF_KIND = 2;
const TODAY = { to: '/settings', heading: 'Today' };
const SAID = 'A haircut on Friday, please.';

/** Beside what is usual: a service that nobody performs, dates with hours of their own, and time off. */
function documentOfMuch() {
  const inDays = (days: number) => Temporal.Now.plainDateISO('UTC').add({ days }).toString();
  const services = [...DOCUMENT.services, { name: 'Colour', duration_minutes: 60, price: 80 }];
  const exceptions = [{ date: inDays(9), hours: [{ start: '10:00', end: '12:00' }], note: 'Fair' }];
  const time_off = [{ start: `${inDays(1)}T00:00`, end: `${inDays(2)}T00:00`, note: 'Course' }];
  const [first, ...others] = DOCUMENT.staff;
  return { services, exceptions, staff: [{ ...first, exceptions, time_off }, ...others] };
}

/** A business where every kind of page shows something. */
async function newBusiness(name: string) {
  const business = await world.newBusiness(name, documentOfMuch());
  const customer = await createCustomer(business.api, 'Mia Wong', '+49 30 901820');
  const slots = await freeSlots(business, 2);
  const [appointmentId = 0, cancelledId] = await Promise.all(
    [slots.at(0), slots.at(-1)].map(async (slot) => {
      if (!slot) throw new Error('no free slot');
      const body = bookingOf(slot, customer.id, business.serviceId);
      return (await business.api<{ id: number }>('POST', '/appointments', { body })).data().id;
    }),
  );
  const cancelled = await business.api('DELETE', `/appointments/${cancelledId}`);
  expect(cancelled.status).toBe(200);
  const source = await createCallSource(world.target, business.tenant.id);
  const calls = [{}, { outcome: 'voicemail', transcript: undefined }, { from_number: '+4930901855' }];
  for (const fields of calls) {
    const call = endedCall({ from_number: '+4930901820', ...fields });
    expect((await sendCall(world.target, source, call)).status).toBe(202);
  }
  return { ...business, appointmentId, customerId: customer.id };
}

const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name, exact: true });
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const places = async (page: Page) =>
  (await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents()).map((text) =>
    text.trim(),
  );

/** Pages of other days and other pages of a list are of one kind. */
const kindOf = (address: string) => address.replace(/[?#].*$/, '').replaceAll(/\d+/g, ':id');

interface FoundPage {
  path: string;
  status: number;
  /** Where its forms and buttons send something. */
  actions: string[];
  /** What it follows. */
  streams: string[];
}

/** Whatever a page leads to, followed from Today and from what a search finds. */
async function everyPage(page: Page): Promise<FoundPage[]> {
  const seen = new Set<string>();
  const ofKind = new Map<string, number>();
  const found: FoundPage[] = [];
  const ahead = ['/settings', '/settings/search?q=mia'];
  for (let path = ahead.shift(); path !== undefined; path = ahead.shift()) {
    const address = path.replace(/#.*$/, '');
    const count = ofKind.get(kindOf(address)) ?? 0;
    if (seen.has(address) || count === MOST_OF_KIND) continue;
    seen.add(address);
    ofKind.set(kindOf(address), count + 1);
    expect(seen.size).toBeLessThan(MOST_PAGES);
    const { status, markup } = await answerOf(page, address);
    const all = (attribute: string) =>
      [...markup.matchAll(new RegExp(`\\s${attribute}="(/settings[^"]*)"`, 'g'))].map(([, value = '']) =>
        value.replaceAll('&amp;', '&'),
      );
    const actions = ['method="post" action', 'formaction', 'data-off'].flatMap(all);
    found.push({ path, status, actions, streams: all('data-live') });
    const links = ['href', 'method="get" action'].flatMap(all);
    ahead.push(...links.filter((href) => !/^\/settings\/(assets|account)/.test(href)));
  }
  return found;
}

/** A service that can't be asked just now is no matter of roles, nor is how many pages a minute may have. */
const answerOf = (page: Page, path: string) =>
  eventually(async () => {
    const answer = await page.request.get(path, { headers: { accept: 'text/html' } });
    const status = answer.status();
    expect(status === 429 || status >= 500 ? status : 'settled').toBe('settled');
    return { status, markup: await answer.text() };
  });

describe('pages lead nobody to what their role refuses', () => {
  /** One with a few records of each kind, and one with none, where the plan allows no more people. */
  const businesses: BusinessOfAdmin[] = [];
  beforeAll(async () => {
    const bare = await world.newBusiness('Salon Unopened', { services: [], staff: [] });
    businesses.push(await newBusiness('Salon of Many'), bare);
    for (const business of businesses) for (const role of MEMBER_ROLES) await world.newMember(business, role);
    const ofBare = ['--tenant', String(bare.tenant.id), '--plan', 'starter'];
    await world.target.operator.json(['tenant', 'set-plan', ...ofBare]);
  });

  it.each(MEMBER_ROLES)('%s', async (role) => {
    const kinds = new Set<string>();
    for (const { tenant } of businesses) {
      const page = await world.signIn(await world.newPage(), `${role}-${tenant.id}@salon.example`, TODAY);
      const pages = await everyPage(page);
      expect(pages.filter(({ status }) => status !== 200)).toEqual([]);
      const who = { scopes: ROLE_SCOPES[role] };
      const refused = pages.flatMap(({ path, actions, streams }) => [
        ...actions.filter((to) => !mayUse(who, 'POST', to)).map((to) => `${path}: ${to}`),
        ...streams.filter((from) => !mayUse(who, 'GET', from)).map((from) => `${path}: ${from}`),
      ]);
      expect(refused).toEqual([]);
      for (const { path } of pages) kinds.add(kindOf(path));
    }
    expect([...kinds]).toEqual(
      expect.arrayContaining([
        ...['/settings/customers/:id', '/settings/calls/:id', '/settings/calendar/appointments/:id'],
        ...['/settings/business/services/:id', '/settings/business/staff/:id', '/settings/calls/missed'],
      ]),
    );
  });
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
