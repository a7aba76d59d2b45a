import type { Hold } from '@frontdesk/contracts';
import { freeSlots } from '../e2e/support/business.ts';
import { expectNoFaults } from './axe.ts';
import { useBrowserWorld } from './browser-world.ts';

const world = useBrowserWorld();

it('what is held appears in the open day and the open week, and goes when it is given back', async () => {
  const business = await world.newBusiness('Salon of holds');
  const slot = (await freeSlots(business, 2)).find(({ time }) => time === '11:00');
  if (!slot) throw new Error('no free slot');
  const [ada] = business.staffIds;
  const hold = async () => {
    const body = {
      service_id: business.serviceId,
      staff_id: ada,
      appointment_date: slot.date,
      appointment_time: slot.time,
      seconds: 600,
    };
    return (await business.api<Hold>('POST', '/holds', { body })).data();
  };
  const giveBack = async ({ id }: Hold) => {
    expect((await business.api('DELETE', `/holds/${id}`)).status).toBe(200);
  };
  const page = await world.signIn(await world.newPage(), business.email);
  const ofAda = `&staff_id=${ada}`;
  const words = /^11:00–11:30 Held until \d\d:\d\d, Haircut$/;

  for (const [state, address] of [
    ['day', `/settings/calendar?date=${slot.date}`],
    ['week of one', `/settings/calendar/week?date=${slot.date}${ofAda}`],
  ] as const) {
    await page.goto(address);
    await page.getByText(/ as a list$/).click();
    const tile = page.getByRole('img', { name: words });
    const line = page.getByRole('listitem').filter({ hasText: /Held until/ });
    await page.getByText('0 appointments. Times are in').waitFor();
    const held = await hold();
    await tile.waitFor();
    await line.waitFor();
    expect(await tile.or(line).getByRole('link').count()).toBe(0);
    await expectNoFaults(page, `${state} with a hold`);
    await giveBack(held);
    await tile.waitFor({ state: 'detached' });
    await line.waitFor({ state: 'detached' });
  }

  await page.goto(`/settings/calendar/week?date=${slot.date}`);
  const held = await hold();
  const item = page.getByRole('listitem').filter({ hasText: /11:00\s+Held until \d\d:\d\d, Haircut/ });
  await item.waitFor();
  await expectNoFaults(page, 'week of all with a hold');
  await giveBack(held);
  await item.waitFor({ state: 'detached' });
});

it('a hold is drawn where its hour is, as long as it lasts, and can’t be pressed', async () => {
  const business = await world.newBusiness('Salon of one hold');
  const slots = await freeSlots(business, 2);
  const slot = slots.find(({ time }) => time === '11:00');
  if (!slot) throw new Error('no free slot');
  const body = {
    service_id: business.serviceId,
    staff_id: business.staffIds[0],
    appointment_date: slot.date,
    appointment_time: slot.time,
    seconds: 600,
  };
  expect((await business.api('POST', '/holds', { body })).status).toBe(201);
  const page = await world.signIn(await world.newPage(), business.email);
  await page.goto(`/settings/calendar?date=${slot.date}`);
  const tile = await page.locator('.held .tile').boundingBox();
  const column = await page.locator('.plan-column').first().boundingBox();
  if (!tile || !column) throw new Error('nothing drawn');
  // From nine to five is drawn.
  const hour = column.height / 8;
  expect(Math.abs(tile.y - column.y - 2 * hour)).toBeLessThan(3);
  expect(Math.abs(tile.height - hour / 2)).toBeLessThan(4);
  expect(tile.width).toBeGreaterThan(column.width * 0.9);
  const before = page.url();
  await page.mouse.click(tile.x + tile.width / 2, tile.y + tile.height / 2);
  expect(page.url()).toBe(before);
});
