import type { Slot } from '@frontdesk/contracts';
import type { Page } from 'playwright-core';
import { type Business, bookingOf, createCustomer } from '../e2e/support/business.ts';
import { everyDay, NINE_TO_FIVE } from '../integration/scheduling/salon.ts';
import { faultsOf } from './axe.ts';
import { type BusinessOfAdmin, useBrowserWorld } from './browser-world.ts';

const world = useBrowserWorld();

const BUSINESS = '/settings/business';

/** A day of next week. */
const comingDay = ({ tenant }: Business) =>
  Temporal.Now.plainDateISO(tenant.timezone).add({ days: 7 }).toString();

/** Starts that the public API offers on it. */
async function slotsOf(business: Business, staffId?: number) {
  const query = `date=${comingDay(business)}&service_id=${business.serviceId}${staffId ? `&staff_id=${staffId}` : ''}`;
  return (await business.api<Slot[]>('GET', `/appointments/slots?${query}`)).data();
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();

const signedIn = async ({ email }: BusinessOfAdmin) => world.signIn(await world.newPage(), email);

it('the first staff member takes no time offline; what can’t be booked is said with a link that cures it', async () => {
  const business = await world.newBusiness('Salon Solo', {
    services: [{ name: 'Haircut', duration_minutes: 30, price: 45.5 }],
    hours: everyDay(NINE_TO_FIVE),
  });
  expect(await slotsOf(business)).toHaveLength(31);
  const page = await signedIn(business);
  await page.goto(`${BUSINESS}/staff/new`);
  await page.getByLabel('Name', { exact: true }).fill('Dana');
  await press(page, /^Add$/);
  await page.getByText('Added. They work the business’s opening hours.').waitFor();
  await page.getByText('Bookable', { exact: true }).waitFor();
  expect(await slotsOf(business)).toHaveLength(31);

  await page.getByLabel('Haircut').uncheck();
  await press(page, 'Save details');
  await page.getByText('Performs no active service.').waitFor();
  expect(await slotsOf(business)).toHaveLength(0);
  await page.goto('/settings');
  const notice = page.getByRole('region', { name: 'What can’t be booked' });
  await notice.getByText('No service can be booked.').waitFor();
  await notice.getByText('Haircut: nobody performs it.').waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await notice.getByRole('link', { name: 'Choose who performs it' }).click();
  await page.getByText('Not bookable').waitFor();
  await page.getByLabel('Dana').check();
  await press(page, 'Save service');
  await page.getByRole('row', { name: /Haircut.*Dana.*Bookable/ }).waitFor();
  expect(await notice.count()).toBe(0);
  expect(await slotsOf(business)).toHaveLength(31);
});

it('own hours take the place of the business’s once they are saved, until they are followed again', async () => {
  const business = await world.newBusiness('Salon Own Hours', {
    services: [{ name: 'Haircut', duration_minutes: 30, price: 45.5 }],
    hours: everyDay(NINE_TO_FIVE),
    staff: [{ name: 'Dana', services: ['Haircut'] }],
  });
  const page = await signedIn(business);
  await page.goto(`${BUSINESS}/staff/${business.staffIds[0]}`);
  await page.getByText('Dana works the business’s opening hours').waitFor();
  await page.getByText('Enter different hours').click();
  await page.getByLabel('Monday, until', { exact: true }).fill('12:00');
  await page.keyboard.press('Tab');
  // The picture beside it follows.
  await page.getByRole('figure').getByText('09:00–12:00').waitFor();
  await press(page, 'Copy Monday to all days');
  await page.getByText('Not saved yet.').waitFor();
  await press(page, 'Save hours');
  await page.getByText('Hours saved.').waitFor();
  expect(await slotsOf(business)).toHaveLength(11);

  await press(page, 'Follow the business’s hours for Dana');
  await page.getByRole('dialog').getByText('Mon–Sun 09:00–12:00, are deleted').waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Follow' }).click();
  await page.getByText('They work the business’s opening hours from now on.').waitFor();
  expect(await slotsOf(business)).toHaveLength(31);
});

it('time off over an appointment says which one; what is over is refused', async () => {
  const business = await world.newBusiness('Salon Time Off');
  const [ada = 0] = business.staffIds;
  const customer = await createCustomer(business.api, 'Mia Wong', '+4930901820');
  const [slot] = await slotsOf(business, ada);
  if (!slot) throw new Error('Nothing is free.');
  const body = bookingOf(slot, customer.id, business.serviceId);
  expect((await business.api('POST', '/appointments', { body })).status).toBe(201);

  const page = await signedIn(business);
  await page.goto(`${BUSINESS}/staff/${ada}`);
  await page.locator('summary', { hasText: 'Add time off' }).click();
  await page.getByLabel('First day', { exact: true }).fill('2020-01-01');
  await press(page, 'Add time off');
  await page.getByText('These days are in the past.').waitFor();
  await page.getByLabel('First day', { exact: true }).fill(comingDay(business));
  await press(page, 'Add time off');
  await page.getByText('Time off added.').waitFor();
  const card = page.getByRole('group', { name: 'Appointments during time off' });
  await card.getByText('Haircut, Mia Wong, with Ada').waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await card.getByRole('link', { name: '09:00–09:30' }).click();
  await page.getByRole('heading', { name: 'Haircut' }).waitFor();
});
