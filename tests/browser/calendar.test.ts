import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { sign } from '../../scripts/calls-replay/sign.ts';
import { bookingOf, createCustomer, DOCUMENT, freeSlots } from '../e2e/support/business.ts';
import { everyDay } from '../integration/scheduling/salon.ts';
import { expectNoFaults } from './axe.ts';
import { useBrowserWorld } from './browser-world.ts';

const world = useBrowserWorld();

/** A business where Mia Wong has an appointment in two days. */
async function bookedSalon(name: string) {
  const business = await world.newBusiness(name);
  const [slot] = await freeSlots(business, 2);
  if (!slot) throw new Error('no free slot');
  const customer = await createCustomer(business.api, 'Mia Wong', '+49 30 901820');
  const body = bookingOf(slot, customer.id, business.serviceId);
  expect((await business.api('POST', '/appointments', { body })).status).toBe(201);
  return { ...business, slot };
}

const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent.trim()');

/** Goes on until what is wanted has the focus. */
async function tabTo(page: Page, wanted: RegExp): Promise<void> {
  for (let i = 0; i < 60; i += 1) {
    await page.keyboard.press('Tab');
    if (wanted.test(await focused(page))) return;
  }
  throw new Error(`${wanted} can't be reached`);
}

it('what is booked is in the plan of its day, and opens with the keyboard alone', async () => {
  const { email, slot } = await bookedSalon('Salon Calendar');
  const page = await world.signIn(await world.newPage(), email);
  await page.getByRole('link', { name: 'Calendar' }).click();
  await page.getByRole('heading', { name: 'Calendar' }).waitFor();
  for (let day = 0; day < 2; day += 1) {
    await tabTo(page, /^›Next day,/);
    const before = page.url();
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.href !== before);
  }
  expect(new URL(page.url()).searchParams.get('date')).toBe(slot.date);
  const words = `${slot.time} Mia Wong, Haircut, until ${slot.end_time}, Scheduled`;
  await tabTo(page, new RegExp(`^${words}`));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Haircut' }).waitFor();
  await page.getByRole('complementary').getByText('030 901820').waitFor();
  await tabTo(page, /^Back to /);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: words }).waitFor();
  await tabTo(page, /^The day as a list$/);
  await page.keyboard.press('Enter');
  await page
    .getByRole('listitem')
    .filter({ hasText: /Mia Wong\s+Haircut\s+030 901820/ })
    .waitFor();
});

it('a block is where its hour is, as long as it lasts', async () => {
  const { email, slot } = await bookedSalon('Salon Geometry');
  const page = await world.signIn(await world.newPage(), email);
  await page.goto(`/settings/calendar?date=${slot.date}`);
  const block = await page.locator('.appointment .box').boundingBox();
  const column = await page.locator('.plan-column').first().boundingBox();
  if (!block || !column) throw new Error('nothing drawn');
  // From nine to five is drawn; the first slot is at nine, for half an hour.
  const hour = column.height / 8;
  expect(Math.abs(block.y - column.y)).toBeLessThan(3);
  expect(Math.abs(block.height - hour / 2)).toBeLessThan(4);
  expect(block.width).toBeGreaterThan(column.width * 0.9);
});

/** Of a PDF as Chromium writes it. */
const pagesOf = (pdf: Buffer): number =>
  Math.max(
    ...[...pdf.toString('latin1').matchAll(/\/Type \/Pages[^>]*?\/Count (\d+)/g)].map(([, count]) =>
      Number(count),
    ),
  );

it.each([
  ['an ordinary day', everyDay([{ start: '08:00', end: '19:00' }]), 4],
  ['a long one of many', everyDay([{ start: '05:00', end: '23:30' }]), 9],
])('%s is printed on one sheet, with the name of the business and the date', async (name, hours, people) => {
  const staff = Array.from({ length: people }, (_, nth) => ({
    name: `Wilhelmina Featherstonehaugh ${nth}`,
    services: ['Haircut'],
    hours,
  }));
  const business = await world.newBusiness(`Salon of ${name}`, { ...DOCUMENT, staff });
  const customer = await createCustomer(business.api, 'Mia Wong', '+49 30 901820');
  const slots = await freeSlots(business, 2);
  const [slot] = slots;
  if (!slot) throw new Error('no free slot');
  // Ten an hour after the other, with notes.
  for (const one of slots.filter(({ time }) => time.endsWith(':00')).slice(0, 10)) {
    const body = {
      ...bookingOf(one, customer.id, business.serviceId),
      notes: 'Allergic to nuts. '.repeat(8),
    };
    expect((await business.api('POST', '/appointments', { body })).status).toBe(201);
  }
  const page = await world.signIn(await world.newPage(), business.email);
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' }).format(
    new Date(slot.date),
  );
  for (const address of ['', '/week']) {
    await page.goto(`/settings/calendar${address}?date=${slot.date}&staff_id=${business.staffIds[0]}`);
    for (const format of ['A4', 'Letter'])
      expect([address, format, pagesOf(await page.pdf({ format }))]).toEqual([address, format, 1]);
  }
  await page.goto(`/settings/calendar?date=${slot.date}`);
  await page.emulateMedia({ media: 'print' });
  await page.getByText(`Salon of ${name}`).waitFor();
  await page
    .getByRole('heading', { name: day.replaceAll(',', '') })
    .or(page.getByRole('heading', { name: day }))
    .waitFor();
  expect(await page.getByRole('link', { name: 'Book', exact: true }).count()).toBe(0);
  // Each with who it is, the number to call and what is noted.
  const lines = page.getByRole('listitem').filter({ hasText: 'Mia Wong' });
  expect(await lines.count()).toBe(10);
  expect(await lines.first().textContent()).toMatch(/030 901820\s*Allergic to nuts/);
  expect(await page.locator('.plan').isVisible()).toBe(false);
});

it('a source is added; what is signed with the secret shown is received, and seen', async () => {
  const { email } = await world.newBusiness('Salon Calls');
  const page = await world.signIn(await world.newPage(), email);
  await page.getByRole('link', { name: 'Calls', exact: true }).click();
  await page.getByRole('link', { name: 'Connect a call source' }).click();
  await page.getByText('No sources yet.').waitFor();
  await page.getByRole('radio', { name: /^Retell/ }).check();
  await page.getByLabel('Name').fill('Main line');
  await page.getByRole('button', { name: 'Add source' }).click();
  await page.getByText('Copy the secret from your provider').waitFor();
  await page.getByRole('radio', { name: /^Generic/ }).check();
  await page.getByRole('button', { name: 'Add source' }).click();
  await page.getByText('Copy it now').waitFor();
  const textIn = async (name: string) =>
    ((await page.getByRole('group', { name, exact: true }).textContent()) ?? '').trim();
  const [secret, url] = [await textIn('the secret'), await textIn('the address')];

  await page.getByText('No messages yet.').waitFor();
  await page.getByLabel('Caller’s number').fill('+49 30');
  const at = new Date();
  const call = {
    provider_call_id: randomUUID(),
    direction: 'inbound',
    from_number: '+4930901820',
    to_number: null,
    started_at: new Date(at.getTime() - 60_000).toISOString(),
    ended_at: at.toISOString(),
  };
  const unsigned = { body: Buffer.from(JSON.stringify(call)), contentType: 'application/json', url };
  const { body, headers } = sign('generic', unsigned, { secret, at });
  expect((await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) })).status).toBe(202);

  // What is typed meanwhile stays, and so does the secret.
  await page.getByText('Last message').waitFor();
  const read = page.getByRole('row', { name: /Processed.*Call \d+/ });
  await read.waitFor();
  expect(await page.getByLabel('Caller’s number').inputValue()).toBe('+49 30');
  expect(await textIn('the secret')).toBe(secret);
  await read.getByRole('link', { name: 'Details' }).click();
  await page.getByText(call.provider_call_id).waitFor();
  await page.getByRole('button', { name: 'Process again' }).click();
  await page.getByText('The message is being processed again.').waitFor();
  await page.locator('dd', { hasText: 'Processed' }).waitFor();
  expect(await page.content()).not.toContain(secret);

  await page.getByRole('link', { name: 'Back to Main line' }).click();
  await page.getByRole('button', { name: 'Make test call' }).click();
  await page.getByText('This is how the call would look.').waitFor();
  await page.getByRole('button', { name: 'Replace secret of Main line' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replace secret' }).click();
  await page.getByText('Copy it now').waitFor();
  expect(await textIn('the secret')).not.toBe(secret);
});

it('axe finds nothing on any page in any look, and none has to be scrolled sideways', async () => {
  const { email, slot } = await bookedSalon('Salon without faults');
  const page = await world.signIn(await world.newPage(), email);
  await page.goto(`/settings/calendar?date=${slot.date}`);
  await page.getByText('The day as a list').click();
  await expectNoFaults(page, 'day');
  await page.locator('.day-list .entry', { hasText: 'Mia Wong' }).click();
  await page.getByRole('heading', { name: 'Haircut' }).waitFor();
  await expectNoFaults(page, 'appointment');

  await page.goto('/settings/calls/sources');
  await expectNoFaults(page, 'no sources');
  await page.getByRole('radio', { name: /^Twilio/ }).check();
  await page.getByLabel('Name').fill('A line with a rather long name, for the sake of it');
  await page.getByRole('button', { name: 'Add source' }).click();
  await page.getByText('Copy the secret from your provider').waitFor();
  await expectNoFaults(page, 'refused source');
  await page.getByRole('radio', { name: /^Vapi/ }).check();
  await page.getByRole('button', { name: 'Add source' }).click();
  await page.getByText('Copy it now').waitFor();
  await expectNoFaults(page, 'new source');
  await page.getByLabel('Credential type in Vapi').selectOption('hmac');
  await page.getByLabel('Payload').fill('');
  await page.getByRole('button', { name: 'Save settings' }).click();
  await page.getByText('Include {body}').waitFor();
  await expectNoFaults(page, 'refused settings');
  await page.getByRole('checkbox', { name: /^Keep the call/ }).check();
  await page.getByRole('button', { name: 'Make test call' }).click();
  await page.getByText('The call was accepted as').waitFor();
  await expectNoFaults(page, 'test call');
  await page.getByRole('link', { name: /^message \d+$/ }).click();
  await page.getByRole('heading', { name: 'Message body' }).waitFor();
  await expectNoFaults(page, 'message');
  await page.goto('/settings/calls/sources');
  await expectNoFaults(page, 'sources');
});
