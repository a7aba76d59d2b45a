import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { bookingOf, createCustomer, freeSlots } from '../e2e/support/business.ts';
import { expectNoFaults } from './axe.ts';
import { useBrowserWorld } from './browser-world.ts';

const world = useBrowserWorld();

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const open = (page: Page, name: string | RegExp) => page.getByRole('link', { name, exact: true }).click();

it('somebody who is at the desk is found or added, looked at and changed, and all are taken along as a file', async () => {
  const business = await world.newBusiness('Salon Customers');
  const customer = await createCustomer(business.api, 'Mia Wong', '+49 30 901820');
  const [slot] = await freeSlots(business, 2);
  if (!slot) throw new Error('no free slot');
  const booking = bookingOf(slot, customer.id, business.serviceId);
  expect((await business.api('POST', '/appointments', { body: booking })).status).toBe(201);

  const page = await world.signIn(await world.newPage(), business.email);
  await open(page, 'Customers');
  await open(page, 'Add customer');
  await expectNoFaults(page, 'a new customer');
  await page.getByLabel('Name').fill('Ada Lovelace');
  await page.getByLabel('Phone').fill('030 901820');
  await press(page, 'Add customer');
  await page.getByText('Mia Wong has this number already.').waitFor();
  await expectNoFaults(page, 'a number that is taken');
  await page.getByLabel('Phone').fill('030 23125 123');
  await page.getByLabel('Pipeline stage').fill('Trial');
  await press(page, 'Add customer');
  await page.getByText('The customer is added.').waitFor();
  await page.getByText('No appointments yet.').waitFor();

  await open(page, 'All customers');
  await page.getByLabel('Search', { exact: true }).fill('mia');
  await press(page, 'Search');
  await page.getByText('1 customer found').waitFor();
  await open(page, 'Mia Wong');
  await page.getByRole('heading', { name: 'Coming' }).waitFor();
  await page.getByRole('cell', { name: /^Haircut/ }).waitFor();
  await expectNoFaults(page, 'a customer');
  await open(page, 'Edit');
  await page.getByLabel('Segment').selectOption('VIP');
  await page.getByLabel('Notes').fill('Likes tea');
  await expectNoFaults(page, 'the form');
  await press(page, 'Save customer');
  await page.getByText('The customer is saved.').waitFor();
  await page.getByText('Likes tea').waitFor();

  await page.goto('/settings/search?q=mia');
  await page.getByRole('link', { name: /^Appointment of Mia Wong/ }).waitFor();
  await expectNoFaults(page, 'a customer found with an appointment');

  await page.goto('/settings/customers');
  await expectNoFaults(page, 'the list');
  const [file] = await Promise.all([page.waitForEvent('download'), open(page, 'Export CSV')]);
  expect(file.suggestedFilename()).toBe('customers.csv');
  const lines = await text(await file.createReadStream());
  expect(lines).toMatch(/,Mia Wong,.*,vip,.*,Likes tea,/);
  expect(lines).toMatch(/,Ada Lovelace,.*,lead,Trial,/);
});
