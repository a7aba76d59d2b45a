import type { Page } from 'playwright-core';
import { createCustomer } from '../e2e/support/business.ts';
import { expectNoFaults } from './axe.ts';
import { useBrowserWorld } from './browser-world.ts';

const world = useBrowserWorld();

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const save = (page: Page) => press(page, 'Save appointment');

it('an appointment is corrected, its customer comes, and it is cancelled for a reason: the history says so', async () => {
  const business = await world.newBusiness('Salon Edit');
  const mia = await createCustomer(business.api, 'Mia Wong', '+49 30 901820');
  const start = Temporal.Now.zonedDateTimeISO(business.tenant.timezone)
    .add({ minutes: 30 })
    .toPlainDateTime();
  const [appointment_date, time = ''] = start.toString().split('T');
  const body = {
    customer_id: mia.id,
    service_id: business.serviceId,
    appointment_date,
    appointment_time: time.slice(0, 5),
  };
  const { id } = (await business.api<{ id: number }>('POST', '/appointments', { body })).data();

  const page = await world.signIn(await world.newPage(), business.email);
  await page.goto(`/settings/calendar/appointments/${id}`);
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await expectNoFaults(page, 'the form of an appointment');
  await page.getByLabel('Duration (min)').fill('an hour');
  await save(page);
  await page.getByText('Enter a number.').or(page.getByText('Enter a whole number.')).waitFor();
  await page.getByLabel('Duration (min)').fill('35');
  await page.getByLabel('Note').fill('Short at the sides');
  // A colleague is quicker, about the same field.
  await business.api('PATCH', `/appointments/${id}`, { body: { notes: 'Theirs' } });
  await save(page);
  await page.getByText('Where you both changed the same field').waitFor();
  await page.getByLabel('Yours: Short at the sides').check();
  await save(page);
  await page.getByText('Appointment saved.').waitFor();
  await page.getByText('Short at the sides').waitFor();
  await page.getByText('35 minutes').waitFor();

  await press(page, 'Arrived');
  await page.getByText('Marked as arrived.').waitFor();
  await page
    .getByText(/^Arrived \d/)
    .first()
    .waitFor();
  await expectNoFaults(page, 'an appointment whose customer has arrived');
  await page.locator('.undo').getByRole('button', { name: 'Undo the arrival' }).click();
  await page.getByText('Arrival undone.').waitFor();

  await press(page, 'Cancel appointment');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('Customer is ill');
  await expectNoFaults(page, 'the question before a cancellation');
  await dialog.getByRole('button', { name: 'Cancel appointment' }).click();
  await page.getByText('Appointment cancelled.').waitFor();
  await page.locator('dd', { hasText: 'Customer is ill' }).waitFor();
  const changes = page.getByRole('region', { name: 'Changes' });
  await changes.getByText(business.email).first().waitFor();
  await changes.getByText('Note changed').first().waitFor({ state: 'attached' });
  await expectNoFaults(page, 'an appointment with its changes');
});

it('another number of a customer is asked about, and names both', async () => {
  const business = await world.newBusiness('Salon Number');
  const mia = await createCustomer(business.api, 'Mia Wong', '+49 30 901820');
  const page = await world.signIn(await world.newPage(), business.email);
  await page.goto(`/settings/customers/${mia.id}/edit`);
  await page.getByLabel('Phone').fill('030 23125 123');
  await press(page, 'Save customer');
  await page.getByText(/Change the number from\s+030 901820\s+to\s+030 23125123/).waitFor();
  await expectNoFaults(page, 'the question about another number');
  await press(page, 'Change the number and save');
  await page.getByText('Customer saved.').waitFor();
  await page.getByRole('link', { name: '030 23125123' }).waitFor();
});
