import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { bookingOf, createCustomer, DOCUMENT, freeSlots } from '../e2e/support/business.ts';
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
  await page.getByText('This number belongs to Mia Wong.').waitFor();
  await expectNoFaults(page, 'a number that is taken');
  await page.getByLabel('Phone').fill('030 23125 123');
  await page.getByLabel('Pipeline stage').fill('Trial');
  await press(page, 'Add customer');
  await page.getByText('Customer added.').waitFor();
  await page.getByText('No appointments yet.').waitFor();

  await open(page, 'All customers');
  await page.getByLabel('Search', { exact: true }).fill('mia');
  await press(page, 'Search');
  await page.getByText('1 customer found').waitFor();
  await open(page, 'Mia Wong');
  await open(page, 'Open page');
  await page.waitForURL(`**/settings/customers/${customer.id}`);
  await page.getByRole('heading', { name: 'Upcoming' }).waitFor();
  await page.getByRole('cell', { name: /^Haircut/ }).waitFor();
  await expectNoFaults(page, 'a customer');
  await open(page, 'Edit');
  await page.getByLabel('Segment').selectOption('VIP');
  await page.getByLabel('Notes').fill('Likes tea');
  await expectNoFaults(page, 'the form');
  await press(page, 'Save customer');
  await page.getByText('Customer saved.').waitFor();
  await page.getByText('Likes tea').waitFor();

  await page.goto('/settings/search?q=mia');
  await page.getByRole('link', { name: /^Appointment of Mia Wong/ }).waitFor();
  await expectNoFaults(page, 'a customer found with an appointment');

  await page.goto('/settings/customers?search=lovelcae');
  await page.getByRole('heading', { name: 'Similar names' }).waitFor();
  await page.getByRole('link', { name: 'Ada Lovelace', exact: true }).waitFor();
  await expectNoFaults(page, 'similar names');

  await page.goto('/settings/customers');
  await page.getByLabel('Sort').selectOption('Name, A to Z');
  await press(page, 'Search');
  await page.waitForURL(/sort=name/);
  expect(await page.getByRole('rowheader').allTextContents()).toEqual([
    expect.stringContaining('Ada Lovelace'),
    expect.stringContaining('Mia Wong'),
  ]);
  await page.goto('/settings/customers');
  await expectNoFaults(page, 'the list');
  const [file] = await Promise.all([page.waitForEvent('download'), open(page, 'Export CSV')]);
  expect(file.suggestedFilename()).toBe('customers.csv');
  const lines = await text(await file.createReadStream());
  expect(lines).toMatch(/,Mia Wong,.*,vip,.*,Likes tea,/);
  expect(lines).toMatch(/,Ada Lovelace,.*,lead,Trial,/);
});

/** Cells of one record whose texts lie over each other. */
const OVERPRINTED = `[...document.querySelectorAll('.list tr')].flatMap((row) => {
  const cells = [...row.cells].map((cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    return { text: cell.textContent.trim(), boxes: [...range.getClientRects()].filter(({ width, height }) => width > 2 && height > 2) };
  });
  const overlap = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  return cells.flatMap(({ text, boxes }, index) =>
    cells.slice(index + 1).filter((other) => boxes.some((a) => other.boxes.some((b) => overlap(a, b)))).map((other) => text + ' over ' + other.text));
})`;

it('dates and services of appointments lie beside each other on a narrow screen', async () => {
  const name = 'Colour, cut, styling and a consultation beforehand';
  const services = [{ name, duration_minutes: 30, price: 1_045.5 }];
  const staff = DOCUMENT.staff.map((one) => ({
    ...one,
    name: `${one.name} Featherstonehaugh`,
    services: [name],
  }));
  const business = await world.newBusiness('Salon Narrow', { services, staff });
  const customer = await createCustomer(business.api, 'Mia Wong', '+49 30 901820');
  const [slot] = await freeSlots(business, 2);
  if (!slot) throw new Error('no free slot');
  const booking = bookingOf(slot, customer.id, business.serviceId);
  const booked = await business.api<{ id: number }>('POST', '/appointments', { body: booking });
  const past = { ...booking, appointment_date: '2025-09-24' };
  expect([booked.status, (await business.api('POST', '/appointments', { body: past })).status]).toEqual([
    201, 201,
  ]);
  const page = await world.signIn(await world.newPage({ width: 390 }), business.email);
  for (const width of [390, 320, 700]) {
    await page.setViewportSize({ width, height: 800 });
    for (const path of [
      `/settings/customers/${customer.id}`,
      '/settings/customers',
      `/settings/calendar?date=${slot.date}`,
    ]) {
      await page.goto(path);
      await page.evaluate('for (const details of document.querySelectorAll("details")) details.open = true');
      expect([path, width, await page.evaluate(OVERPRINTED)]).toEqual([path, width, []]);
    }
  }
});
