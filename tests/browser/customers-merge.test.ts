import type { Page } from 'playwright-core';
import { bookingOf, createCustomer, freeSlots } from '../e2e/support/business.ts';
import { eventually } from '../support/index.ts';
import { expectNoFaults } from './axe.ts';
import { useBrowserWorld, type View } from './browser-world.ts';

const world = useBrowserWorld();

/** Somebody who was entered twice, and who is signed in; the one who goes has an appointment. */
async function openTwins(name: string, view?: View) {
  const business = await world.newBusiness(name);
  const own = await createCustomer(business.api, 'Grace Wilson-Hall', '+49 30 901820');
  const other = await createCustomer(business.api, 'Grace Wilson', '+49 30 901821');
  const [slot] = await freeSlots(business, 2);
  if (!slot) throw new Error('no free slot');
  const booking = bookingOf(slot, other.id, business.serviceId);
  expect((await business.api('POST', '/appointments', { body: booking })).status).toBe(201);
  const page = await world.signIn(await world.newPage(view), business.email);
  await page.goto(`/settings/customers/${own.id}`);
  return { business, page, own, other };
}

const open = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click();
const ask = (page: Page) => page.getByRole('button', { name: 'Merge customers' }).first().click();
const confirm = (page: Page) =>
  page.getByRole('dialog').getByRole('button', { name: 'Merge customers' }).click();

it.each([
  { width: 1280, hasScripts: true },
  { width: 390, hasScripts: true },
  { width: 1280, hasScripts: false },
] as const)('a person who was entered twice becomes one customer (%j)', async (view) => {
  const { page, own, other } = await openTwins('Salon Twins', view);
  await open(page, 'Merge with another customer');
  await page.getByText('Similar name').waitFor();
  if (view.hasScripts) await expectNoFaults(page, 'suggestions');
  await open(page, 'Choose Grace Wilson');
  await page.getByText('1 appointment of Grace Wilson will belong to Grace Wilson-Hall.').first().waitFor();
  if (view.hasScripts) await expectNoFaults(page, 'two customers side by side');
  const name = page.getByRole('radio', { name: /^Grace Wilson Of the one who goes/ });
  await name.check();
  // Enter asks nothing, and merges nobody.
  await name.press('Enter');
  await page.getByRole('radio', { name: /^030 901821/ }).press('Enter');
  expect(await page.getByRole('dialog').count()).toBe(0);
  await ask(page);
  if (view.hasScripts) await expectNoFaults(page, 'the question');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await ask(page);
  await confirm(page);
  await page.getByText('Customers merged.').waitFor();
  expect(new URL(page.url()).pathname).toBe(`/settings/customers/${own.id}`);
  await page.getByRole('heading', { name: 'Grace Wilson', exact: true }).waitFor();
  await eventually(async () => {
    await page.goto(`/settings/customers/${own.id}`);
    expect(await page.locator('#visits').getByText('Haircut').count()).toBe(1);
  });
  await page.goto(`/settings/customers/${other.id}`);
  await page.getByText('The customer you looked for has been merged into this one.').waitFor();
  expect(new URL(page.url()).pathname).toBe(`/settings/customers/${own.id}`);
});

it('what others change meanwhile is shown, and a refusal stands where the question is', async () => {
  const { business, page, own, other } = await openTwins('Salon Meanwhile');
  await page.goto(`/settings/customers/${own.id}/merge?with=${other.id}`);
  await page.getByRole('radio', { name: /^030 901821/ }).check();
  const change = { body: { name: 'Grace W.' } };
  expect((await business.api('PATCH', `/customers/${other.id}`, change)).status).toBe(200);
  await ask(page);
  await confirm(page);
  await page.getByText('Someone has changed one of the two in the meantime').waitFor();
  expect(await page.getByRole('radio', { name: /^030 901821/ }).isChecked()).toBe(true);
  await page.getByRole('group', { name: 'Name Changed' }).waitFor();
  await expectNoFaults(page, 'what was changed meanwhile');

  const third = await createCustomer(business.api, 'G. Wilson', '+49 30 901822');
  const token = await page.locator('input[name=_csrf]').first().getAttribute('value');
  const merged = await page.request.post(`/settings/customers/${third.id}/merge`, {
    headers: { accept: 'application/json', 'x-csrf-token': token ?? '' },
    data: { merged_id: own.id, takes_phone: false },
  });
  expect(merged.status()).toBe(200);
  await ask(page);
  await confirm(page);
  const alert = page.getByRole('dialog').getByRole('alert');
  await alert.getByText('Nothing was saved: this customer has been merged into another one').waitFor();
  await alert.getByRole('link', { name: 'Open that customer' }).click();
  await page.waitForURL(new RegExp(`/settings/customers/${third.id}$`));
});
