import type { Locator } from 'playwright-core';
import { createCustomer } from '../e2e/support/business.ts';
import { createCallSource, endedCall, sendCall } from '../e2e/support/calls.ts';
import { eventually } from '../support/index.ts';
import { faultsOf } from './axe.ts';
import { useBrowserWorld } from './browser-world.ts';

const world = useBrowserWorld();

/** The day and time that the appointment's page shows, as the calendar has them. */
async function shownStart(desk: Locator): Promise<{ date: string; time: string }> {
  const back = desk.getByRole('link', { name: /^Back to / });
  const address = (await back.getAttribute('href')) ?? '';
  const [, time = ''] = /, (\d\d:\d\d)–/.exec((await desk.locator('dd').first().textContent()) ?? '') ?? [];
  return { date: new URL(address, 'http://localhost').searchParams.get('date') ?? '', time };
}

it('a receptionist’s morning: a missed caller is called back, booked, moved and cancelled, as a second browser sees', async () => {
  const business = await world.newBusiness('Salon Morning');
  await createCustomer(business.api, 'Mia Wong', '+49 30 901820');
  const source = await createCallSource(world.target, business.tenant.id);
  const [started_at, ended_at] = [60_000, 54_000].map((ago) => new Date(Date.now() - ago));
  const call = {
    started_at,
    ended_at,
    from_number: '+4930901820',
    outcome: 'voicemail',
    transcript: undefined,
  };
  expect((await sendCall(world.target, source, endedCall(call))).status).toBe(202);

  const page = await world.signIn(await world.newPage(), business.email);
  await page.getByRole('link', { name: 'Today', exact: true }).click();
  // Missed calls come in by themselves.
  await page
    .getByRole('region', { name: 'To call back' })
    .getByRole('link', { name: 'Mia Wong' })
    .first()
    .click();
  const desk = page.getByRole('complementary');
  await desk.getByRole('button', { name: 'Mark as called back' }).click();
  await desk.getByText(`by ${business.email}`).waitFor();

  await desk.getByRole('link', { name: 'Book an appointment' }).click();
  await desk.getByRole('heading', { name: 'Next free times' }).waitFor();
  await desk.locator('.times a').last().click();
  await desk.getByRole('radio', { name: /Mia Wong/ }).check();
  await desk.getByRole('button', { name: 'Book', exact: true }).click();
  await desk.getByText('Appointment booked.').waitFor();
  const booked = await shownStart(desk);

  const second = await world.signIn(await world.newPage(), business.email);
  await second.goto(`/settings/calendar?date=${booked.date}`);
  await second.getByRole('link', { name: new RegExp(`^${booked.time} Mia Wong, Haircut`) }).waitFor();
  const none = second.getByText('0 appointments. Times');

  await desk.getByRole('link', { name: 'Move', exact: true }).click();
  await desk.locator('.times button').first().click();
  await desk.getByText(/^Appointment moved\. .* with /).waitFor();
  const moved = await shownStart(desk);
  expect(moved).not.toEqual(booked);
  if (moved.date !== booked.date) {
    await none.waitFor();
    await second.goto(`/settings/calendar?date=${moved.date}`);
  }
  await second.getByRole('link', { name: new RegExp(`^${moved.time} Mia Wong, Haircut`) }).waitFor();

  await desk.getByRole('button', { name: 'Cancel appointment' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel appointment' }).click();
  await desk.getByText('Appointment cancelled.').waitFor();
  await none.waitFor();
});

it('anybody is found from everywhere with the keyboard, and lists are walked with arrow keys', async () => {
  const business = await world.newBusiness('Salon Search');
  for (const [index, name] of ['Mia Wong', 'Mira Wolf'].entries())
    await createCustomer(business.api, name, `+49 30 90182${index}`);
  const page = await world.signIn(await world.newPage(), business.email);
  const focused = () => page.evaluate<string>('document.activeElement.textContent.trim()');

  await page.keyboard.press('/');
  const dialog = page.getByRole('dialog', { name: 'Search' });
  await dialog.getByRole('link', { name: 'Audit log' }).waitFor();
  // At once: where a key comes late, what is found for the one before it is replaced while arrow keys walk through it.
  await page.keyboard.insertText('mi');
  await dialog.getByRole('link', { name: /Mia Wong/ }).waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await page.keyboard.press('ArrowDown');
  const first = await focused();
  await page.keyboard.press('ArrowDown');
  expect([first, await focused()].map((text) => text.slice(0, 8)).toSorted()).toEqual([
    'Mia Wong',
    'Mira Wol',
  ]);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: /^Mi/ }).waitFor();

  // Nobody with a similar name is gone to by one Enter.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('wolff mira');
  await dialog.getByRole('heading', { name: 'Similar names' }).waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await eventually(async () => expect((await focused()).slice(0, 9)).toBe('Mira Wolf'));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Mira Wolf' }).waitFor();

  await page.keyboard.press('Control+k');
  await page.keyboard.type('customers');
  await dialog.getByRole('link', { name: 'Customers', exact: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor();
  await page.getByRole('searchbox', { name: 'Search' }).press('ArrowDown');
  const row = await focused();
  await page.keyboard.press('ArrowDown');
  expect([row, await focused()].toSorted()).toEqual(['Mia Wong', 'Mira Wolf']);
  await page.goto('/settings/search?q=wolf');
  await page.getByRole('link', { name: /Mira Wolf/ }).waitFor();
  expect(await faultsOf(page)).toEqual([]);

  // The second Enter ends the first one's search: what was listed before it opens nothing.
  await page.keyboard.press('/');
  await page.keyboard.type('mia');
  await dialog.getByRole('link', { name: /Mia Wong/ }).waitFor();
  const opened: string[] = [];
  page.on('request', (request) => void (request.isNavigationRequest() && opened.push(request.url())));
  await page.evaluate(`{
    const form = document.querySelector('dialog.search form');
    form.elements.q.value = 'wolf';
    form.requestSubmit();
    form.requestSubmit();
  }`);
  await page.getByRole('heading', { level: 1, name: 'Mira Wolf' }).waitFor();
  expect(opened).toHaveLength(1);
});
