import type { Page } from 'playwright-core';
import type { Business } from '../e2e/support/business.ts';
import { eventually } from '../support/index.ts';
import { expectNoFaults } from './axe.ts';
import { useBrowserWorld } from './browser-world.ts';

const world = useBrowserWorld();

const BUSINESS = '/settings/business';

/** A Monday of next week or the one after. */
function comingMonday({ tenant }: Business): string {
  const today = Temporal.Now.plainDateISO(tenant.timezone);
  return today.add({ days: 15 - today.dayOfWeek }).toString();
}

interface Named {
  id: number;
  name: string;
}

const idOf = async ({ api }: Business, list: 'staff' | 'services', name: string): Promise<number> =>
  (await api<Named[]>('GET', `/${list}`)).data().find((record) => record.name === name)?.id ?? 0;

/** Starts that the public API offers of one staff member. */
async function slotTimes(business: Business, serviceId: number, staffId: number): Promise<string[]> {
  const query = `date=${comingMonday(business)}&service_id=${serviceId}&staff_id=${staffId}`;
  const answer = await business.api<{ time: string }[]>('GET', `/appointments/slots?${query}`);
  return answer.data().map(({ time }) => time);
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();

it('hours entered in the form are drawn at once and, saved, are what the public API offers', async () => {
  const business = await world.newBusiness('Salon Hours');
  const page = await world.signIn(await world.newPage(), business.email);
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('link', { name: 'Staff', exact: true }).click();
  await page.getByRole('link', { name: 'Ada', exact: true }).click();
  await page.getByLabel('Monday, from').fill('10:00');
  await page.getByLabel('Monday, until').fill('12:00');
  await page.getByLabel('Name', { exact: true }).fill('Ada L.');
  const picture = page.getByRole('figure');
  await picture.getByText('10:00–12:00').waitFor();
  await picture.getByText('not saved yet').waitFor();
  await press(page, 'Add Break on Monday');
  await picture.getByText('10:00–10:45, 11:15–12:00').waitFor();
  const ada = await idOf(business, 'staff', 'Ada');
  expect((await slotTimes(business, business.serviceId, ada))[0]).toBe('09:00');

  await page.getByLabel('Monday, until (2)').press('Enter');
  await page.getByText('Hours saved.').waitFor();
  expect(await slotTimes(business, business.serviceId, ada)).toEqual(['10:00', '10:15', '11:15', '11:30']);
  // What was typed in the other form is still there, and no clash with one's own change.
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ada L.');
  await press(page, 'Save details');
  await page.getByText('Details saved.').waitFor();
  await page.getByRole('heading', { name: 'Ada L.' }).waitFor();

  await page.locator('summary', { hasText: 'Add time off' }).click();
  await page.getByLabel('First day', { exact: true }).fill(comingMonday(business));
  await press(page, 'Add time off');
  await page.getByText('Time off added.').waitFor();
  expect(await slotTimes(business, business.serviceId, ada)).toEqual([]);
});

it('a service and who performs it are added, hours copied over the week, and all of it is bookable', async () => {
  const business = await world.newBusiness('Salon Services');
  const page = await world.signIn(await world.newPage(), business.email);
  await page.goto(`${BUSINESS}/services`);
  await page.getByRole('link', { name: 'Add a service' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Haircut');
  await page.getByLabel('Price (EUR)').fill('80.5');
  for (const name of ['Ada', 'Ben', 'Cem']) await page.getByLabel(name).uncheck();
  await press(page, 'Add service');
  await page.getByText('This name is already in use.').waitFor();
  expect(await page.getByLabel('Price (EUR)').inputValue()).toBe('80.5');
  expect(await page.getByLabel('Ada').isChecked()).toBe(false);
  await page.getByLabel('Name', { exact: true }).fill('Massage');
  await press(page, 'Add service');
  await page.getByRole('row', { name: /Massage.*30 min.*80,50 €.*Nobody.*Not bookable/ }).waitFor();

  await page.getByRole('link', { name: 'Staff', exact: true }).click();
  await page.getByRole('link', { name: 'Add a staff member' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Dana');
  await page.getByLabel('Haircut').uncheck();
  await page.getByLabel('hours of their own').check();
  await press(page, /^Add$/);
  await page.getByText('Added. Now enter when they work.').waitFor();
  await press(page, 'Add Hours on Tuesday');
  await page.getByLabel('Tuesday, from').waitFor();
  const answers = Promise.withResolvers<void>();
  await page.route('**/hours', async (route) => {
    await answers.promise;
    await route.continue();
  });
  await press(page, 'Add Hours on Monday');
  // Neither what is pressed nor what is typed before the answer to the other has come is forgotten.
  await page.getByLabel('Tuesday, from').fill('11:00');
  await press(page, 'Add Hours on Wednesday');
  answers.resolve();
  await page.getByLabel('Wednesday, from').waitFor();
  expect(await page.getByLabel('Tuesday, from').inputValue()).toBe('11:00');
  await press(page, 'Copy Monday to all days');
  await page.getByLabel('Sunday, from').waitFor();
  await page.unroute('**/hours');
  await press(page, 'Save hours');
  await page.getByText('Hours saved.').waitFor();
  const [massage, dana] = [
    await idOf(business, 'services', 'Massage'),
    await idOf(business, 'staff', 'Dana'),
  ];
  expect(await slotTimes(business, massage, dana)).toHaveLength(31);

  await page.goto(`${BUSINESS}/services/${massage}`);
  await press(page, 'Deactivate Massage');
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
  await page.getByText('Service deactivated.').waitFor();
  expect(await idOf(business, 'services', 'Massage')).toBe(0);
});

it('the time zone is changed after a question, and free times go by it', async () => {
  const business = await world.newBusiness('Salon Zones');
  const page = await world.signIn(await world.newPage(), business.email);
  await page.goto(BUSINESS);
  await press(page, 'Change the time zone');
  await page.getByLabel('New time zone').selectOption('America/New_York');
  await page.getByRole('dialog').getByRole('button', { name: 'Change time zone' }).click();
  await page.getByText('Time zone changed.').waitFor();
  await page.getByText('America/New_York, where it is').waitFor();
  const path = `/appointments/slots?date=${comingMonday(business)}&service_id=${business.serviceId}`;
  await eventually(async () => {
    const [slot] = (await business.api<{ starts_at: string }[]>('GET', path)).data();
    expect(slot?.starts_at).toMatch(/T09:00:00-0[45]:00$/);
  });
});

it('axe finds nothing on any page in any look, and none has to be scrolled sideways', async () => {
  const business = await world.newBusiness('Salon without faults');
  const page = await world.signIn(await world.newPage(), business.email);
  const [ada = 0] = business.staffIds;
  for (const path of ['', '/services', `/services/${business.serviceId}`, '/staff', '/opening-hours']) {
    await page.goto(`${BUSINESS}${path}`);
    await expectNoFaults(page, path);
  }
  await press(page, 'Add Hours on Monday');
  await page.getByLabel('Monday, until').fill('08:00');
  await press(page, 'Save hours');
  await page.getByText('The end must be after the start.').waitFor();
  await expectNoFaults(page, 'refused hours');
  await page.goto(`${BUSINESS}/services/new`);
  await page.getByLabel('Name', { exact: true }).fill('Haircut');
  await page.getByLabel('Price (EUR)').fill('5');
  await press(page, 'Add service');
  await page.getByText('This name is already in use.').waitFor();
  await expectNoFaults(page, 'refused service');

  await page.goto(`${BUSINESS}/staff/${ada}`);
  await page.locator('summary', { hasText: 'Add a date' }).click();
  await page.getByLabel('Date', { exact: true }).fill(comingMonday(business));
  await page.getByLabel('off all day').check();
  await press(page, 'Save date');
  await page.getByText('Date saved.').waitFor();
  await page.locator('summary', { hasText: 'Add time off' }).click();
  await page.getByText('Only part of a day?').click();
  await expectNoFaults(page, 'staff');
  await press(page, `Remove ${comingMonday(business)}`);
  await expectNoFaults(page, 'dialog');
});
