import type { Page } from 'playwright-core';
import { createCustomer, DOCUMENT } from '../e2e/support/business.ts';
import { everyDay } from '../integration/scheduling/salon.ts';
import { expectNoFaults, faultsOf } from './axe.ts';
import { useBrowserWorld } from './browser-world.ts';

const world = useBrowserWorld();

/** Where no free time passes while a test books it. */
const DAYS_AHEAD = `/settings/calendar/book?date=${Temporal.Now.plainDateISO().add({ days: 3 })}`;
const CUSTOMERS = ['Mia Wong', 'Mira Wolf'];
/** It is about noon there: today's next free time doesn't pass either while a test books it. */
const AFTERNOONS = everyDay([{ start: '14:00', end: '17:00' }]);
const OPEN_LATER = { ...DOCUMENT, staff: DOCUMENT.staff.map((one) => ({ ...one, hours: AFTERNOONS })) };

/** A business that knows two customers. */
async function salon(name: string) {
  const business = await world.newBusiness(name, OPEN_LATER);
  for (const [index, customer] of CUSTOMERS.entries())
    await createCustomer(business.api, customer, `+49 30 90182${index}`);
  return business;
}

const focused = (page: Page) => page.evaluate<string>('document.activeElement.outerHTML.slice(0, 200)');
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
/** Until all of the text was looked for: where a key comes late, what was typed before it is looked for first. */
const lookedFor = (page: Page, text: string) =>
  page.locator(`[name=found][value="${text}"]`).waitFor({ state: 'attached' });

it('a call is booked with the keyboard alone: time, some letters, the customer; then it is cancelled, and not', async () => {
  const { email } = await salon('Salon Phone');
  const page = await world.signIn(await world.newPage(), email);
  await page.goto('/settings/calendar/book');
  await heading(page, 'Next free times');
  // The next free time has the focus.
  await page.keyboard.press('Enter');
  await heading(page, 'Who is it for?');
  await page.keyboard.type('mi');
  await lookedFor(page, 'mi');
  await page.getByText('2 customers found.').waitFor();
  await page.keyboard.type('ra');
  await lookedFor(page, 'mira');
  await page.getByText('1 customer found, and chosen.').waitFor();
  await page.keyboard.press('Enter');
  // Who was found is looked at first.
  expect(await focused(page)).toContain('type="radio"');
  await page.keyboard.press('Enter');
  await page.getByText('Appointment booked.').waitFor();
  await page.getByRole('link', { name: 'Mira Wolf' }).waitFor();

  await page.getByRole('button', { name: 'Cancel appointment' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel appointment' }).click();
  await page.getByText('Appointment cancelled.').waitFor();
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Appointment restored.').waitFor();
});

it('somebody new is added while they are booked; a time that is taken meanwhile loses nothing that was typed', async () => {
  const { email } = await salon('Salon New');
  const first = await world.signIn(await world.newPage(), email);
  await first.goto(DAYS_AHEAD);
  await first.keyboard.press('Enter');
  await heading(first, 'Who is it for?');
  const time = first.url();
  await first.keyboard.type('Ada Lovelace');
  await lookedFor(first, 'Ada Lovelace');
  await first.getByText('No customer found. Add a new one below.').waitFor();
  expect(await first.getByLabel('Name').inputValue()).toBe('Ada Lovelace');
  await first.getByLabel('Phone').fill('+49 30 123456');
  await first.getByLabel('Note').fill('First visit');

  // All three who perform the service are booked at that time.
  const second = await first.context().newPage();
  for (let count = 0; count < 3; count += 1) {
    await second.goto(time);
    await second.getByLabel('Customer', { exact: true }).fill('wong');
    await second.getByText('1 customer found, and chosen.').waitFor();
    await second.getByRole('button', { name: 'Book' }).click();
    if (count > 0) await second.getByRole('button', { name: 'Book another appointment' }).click();
    await second.getByText('Appointment booked.').waitFor();
  }
  await first.getByRole('button', { name: 'Book', exact: true }).click();
  await first.getByText('This time is taken.').waitFor();
  expect(await first.getByLabel('Note').inputValue()).toBe('First visit');
  expect(await faultsOf(first)).toEqual([]);
  await first.getByRole('alert').getByRole('button').first().click();
  await first.getByText('Appointment booked.').waitFor();
  await first.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
  await first.getByText('First visit').waitFor();
});

it('an appointment is moved and moved back; no step has a fault that axe finds', async () => {
  const { email } = await salon('Salon Move');
  const page = await world.signIn(await world.newPage(), email);
  await page.goto(DAYS_AHEAD);
  await expectNoFaults(page, 'times');
  await page.locator('.times a').first().click();
  await page.getByLabel('Customer', { exact: true }).fill('mi');
  await page.getByText('2 customers found.').waitFor();
  await expectNoFaults(page, 'customers');
  await page.getByRole('radio', { name: /Mia Wong/ }).check();
  await page.getByRole('button', { name: 'Book', exact: true }).click();
  await page.getByText('Appointment booked.').waitFor();
  const before = await page.locator('dd').first().textContent();
  await expectNoFaults(page, 'appointment');
  await page.getByRole('link', { name: 'Move' }).click();
  await heading(page, 'Move the appointment');
  await expectNoFaults(page, 'move');
  await page.locator('.times button').last().click();
  await page.getByText('Appointment moved.').waitFor();
  expect(await page.locator('dd').first().textContent()).not.toBe(before);
  await page.setViewportSize({ width: 390, height: 800 });
  const { y, height } = (await page
    .locator('.undo')
    .getByRole('button', { name: 'Undo the move' })
    .boundingBox()) ?? {
    y: 800,
    height: 0,
  };
  expect(y + height).toBeLessThan(800);
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Appointment moved.').waitFor();
  await page.locator('dd', { hasText: String(before) }).waitFor();
  expect(await focused(page)).toContain('notice');
});

it('a service that is gone meanwhile leaves what was typed: another one is chosen, and takes it along', async () => {
  const { email } = await salon('Salon Gone');
  const page = await world.signIn(await world.newPage({ width: 390 }), email);
  await page.goto(DAYS_AHEAD);
  await page.locator('.times a').first().click();
  await page.getByLabel('Customer', { exact: true }).fill('mia');
  await page.getByRole('radio', { name: /Mia Wong/ }).check();
  await page.getByLabel('Note').fill('Rings the bell');
  // As if it had been deleted since the page was drawn.
  await page.evaluate("document.querySelector('#booking [name=service_id]').value = '999999'");
  await page.getByRole('button', { name: 'Book', exact: true }).click();
  await page.getByText('Choose another service.').waitFor();
  await expectNoFaults(page, 'another service');
  await page.locator('.options button').first().click();
  await heading(page, 'Who is it for?');
  expect(await page.getByLabel('Note').inputValue()).toBe('Rings the bell');
  expect(await page.getByRole('radio', { name: /Mia Wong/ }).isChecked()).toBe(true);
  await page.getByRole('button', { name: 'Book', exact: true }).click();
  await page.getByText('Appointment booked.').waitFor();
  await page.getByText('Rings the bell').waitFor();
});

it('a time that was clicked in the calendar is shown and kept while the service is chosen', async () => {
  const services = ['Haircut', 'Shave'].map((name) => ({ name, duration_minutes: 30, price: 45.5 }));
  const staff = OPEN_LATER.staff.map((one) => ({ ...one, services: ['Haircut', 'Shave'] }));
  const { email } = await world.newBusiness('Salon of Two', { services, staff });
  const page = await world.signIn(await world.newPage(), email);
  await page.goto(DAYS_AHEAD.replace('/book', ''));
  const column = page.locator('.plan-column').first();
  await column.scrollIntoViewIfNeeded();
  await column.click({ position: { x: 60, y: 80 } });
  await heading(page, 'Which service?');
  const time = page.locator('.steps li', { hasText: 'Time' });
  const chosen = (await time.textContent()) ?? '';
  expect(chosen).toMatch(/, 15:00 with Ada/);
  await page.getByRole('link', { name: /^Shave/ }).click();
  await heading(page, 'Who is it for?');
  expect(await time.textContent()).toContain(chosen.trim().split('\n').at(-1));
});

it('the number of somebody new is refused and corrected: they are booked', async () => {
  const { email } = await salon('Salon Corrected');
  const page = await world.signIn(await world.newPage(), email);
  await page.goto(DAYS_AHEAD);
  await page.locator('.times a').first().click();
  await page.getByLabel('Customer', { exact: true }).fill('Ada Lovelace');
  await page.getByText('No customer found. Add a new one below.').waitFor();
  await page.getByLabel('Phone').fill('+49 30 901820');
  await page.getByRole('button', { name: 'Book', exact: true }).click();
  await page.getByText('This number belongs to').waitFor();
  await page.getByLabel('Phone').fill('+49 30 123456');
  await page.getByRole('button', { name: 'Book', exact: true }).click();
  await page.getByText('Appointment booked.').waitFor();
  await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
});

it('Enter again and again moves and books nothing', async () => {
  const business = await salon('Salon Enter');
  const page = await world.signIn(await world.newPage(), business.email);
  const { id } = await createCustomer(business.api, 'Ada King', '+49 30 777777');
  await page.goto(`${DAYS_AHEAD}&customer_id=${id}`);
  await page.keyboard.press('Enter');
  await heading(page, 'Who is it for?');
  expect(await focused(page)).toMatch(/^<h2/);
  const changes: string[] = [];
  page.on('request', (request) => void (request.method() === 'POST' && changes.push(request.url())));
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  expect(await page.getByRole('radio', { name: /Ada King/ }).isChecked()).toBe(true);
  expect(changes).toEqual([]);
  await page.getByRole('button', { name: 'Book', exact: true }).click();
  await page.getByText('Appointment booked.').waitFor();
  await page.getByRole('link', { name: 'Move', exact: true }).press('Enter');
  await heading(page, 'Move the appointment');
  expect(await focused(page)).toMatch(/^<h2/);
  changes.length = 0;
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.locator('.times button').first().focus();
  expect(changes).toEqual([]);
});
