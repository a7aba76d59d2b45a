import { MAX_PICTURE_BYTES } from '@frontdesk/contracts';
import type { Page } from 'playwright-core';
import { bookingOf, createCustomer, freeSlots } from '../e2e/support/business.ts';
import { eventually } from '../support/index.ts';
import { expectNoFaults } from './axe.ts';
import { type BusinessOfAdmin, useBrowserWorld } from './browser-world.ts';

const world = useBrowserWorld();

const STAFF = '/settings/business/staff';
/** Of which one is the line above it. */
const MOST_OF_A_LINE = 37;
const SERVICES = '/settings/business/services';
/** One pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Noise takes as much room as there is; in base64. */
const LARGE_PICTURE = `(async () => {
  const canvas = new OffscreenCanvas(400, 300);
  const pixels = new ImageData(400, 300);
  for (let at = 0; at < pixels.data.length; at += 60_000)
    crypto.getRandomValues(pixels.data.subarray(at, at + 60_000));
  canvas.getContext('2d').putImageData(pixels, 0, 0);
  return new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer()).toBase64();
})()`;

async function bookedSalon(name: string) {
  const business = await world.newBusiness(name);
  const page = await world.signIn(await world.newPage(), business.email);
  const [slot] = await freeSlots(business, 2);
  if (!slot) throw new Error('no free slot');
  const customer = await createCustomer(business.api, 'Mia Wong', '+49 30 901820');
  const body = bookingOf(slot, customer.id, business.serviceId);
  const { id } = (await business.api<{ id: number }>('POST', '/appointments', { body })).data();
  return { business, page, date: slot.date, appointment: `/settings/calendar/appointments/${id}` };
}

const staffPageOf = ({ staffIds }: BusinessOfAdmin) => `${STAFF}/${staffIds[0]}`;

/** Until it holds. Playwright's own wait for it is refused by the page's policy. */
const until = (page: Page, condition: string) =>
  eventually(async () => expect([condition, await page.evaluate(condition)]).toEqual([condition, true]));

/** Until the browser has drawn the picture beside a name. */
const pictureDrawn = (page: Page) => until(page, "document.querySelector('img.face')?.naturalWidth > 0");

it.each([true, false])(
  'a person gets a colour and a picture (scripts: %s); no page of people has a fault that axe finds',
  async (hasScripts) => {
    const business = await world.newBusiness('Salon Faces');
    const page = await world.signIn(await world.newPage({ width: 1280, hasScripts }), business.email);
    await page.goto(staffPageOf(business));
    await page.getByRole('radio', { name: 'Brown' }).check();
    await page.getByRole('button', { name: 'Save details' }).click();
    await page.getByText('Details saved.').waitFor();
    expect(await page.getByRole('radio', { name: 'Brown' }).isChecked()).toBe(true);

    const file = page.getByLabel('Choose a picture');
    await file.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('Ada') });
    await page.getByRole('button', { name: 'Save picture' }).click();
    await page.getByText('a PNG, JPEG or WebP file.').waitFor();
    await file.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from(PNG, 'base64') });
    await page.getByRole('button', { name: 'Save picture' }).click();
    await page.getByText('Picture saved.').waitFor();
    await pictureDrawn(page);
    if (!hasScripts) return;
    await expectNoFaults(page, 'staff member');
    for (const path of [
      STAFF,
      `${STAFF}/new`,
      '/settings/calendar',
      '/settings/calendar/week',
      '/settings',
    ]) {
      await page.goto(path);
      await expectNoFaults(page, path);
    }
    await page.goto(STAFF);
    await pictureDrawn(page);
  },
);

it('a picture as telephones take it is made smaller before it is sent', async () => {
  const business = await world.newBusiness('Salon Telephone');
  const page = await world.signIn(await world.newPage(), business.email);
  await page.goto(staffPageOf(business));
  const large = await page.evaluate<string>(LARGE_PICTURE);
  const file = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from(large, 'base64') };
  expect(file.buffer.length).toBeGreaterThan(MAX_PICTURE_BYTES);
  await page.getByLabel('Choose a picture').setInputFiles(file);
  await until(page, "document.getElementById('picture-file').files[0].type === 'image/jpeg'");
  await page.getByRole('button', { name: 'Save picture' }).click();
  await page.getByText('Picture saved.').waitFor();
  await pictureDrawn(page);
});

it('records take 36 px each on a desk', async () => {
  const { page } = await bookedSalon('Salon Lines');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.request.post('/settings/api/keys', {
    headers: { accept: 'application/json', 'x-csrf-token': await tokenOf(page) },
    data: { name: 'Website' },
  });
  // What the operator did comes to the audit log later; the scopes of the key are more than a line.
  await eventually(async () => {
    await page.goto('/settings/audit');
    expect(await page.getByText('e2e, scopes').count()).toBeGreaterThan(0);
  });
  const lists = {
    '/settings/customers': '.list tbody tr',
    [SERVICES]: '.list tbody tr',
    [STAFF]: '.people > li',
    '/settings/api': '#keys .list tbody tr',
    '/settings/audit': '.list tbody tr',
  };
  for (const [path, rows] of Object.entries(lists)) {
    await page.goto(path);
    const heights = await page.evaluate<number[]>(
      `[...document.querySelectorAll('${rows}')].map((row) => Math.round(row.getBoundingClientRect().height))`,
    );
    expect(heights.length).toBeGreaterThan(0);
    expect([path, heights.filter((height) => height > MOST_OF_A_LINE)]).toEqual([path, []]);
  }
});

const tokenOf = async (page: Page) =>
  (await page.locator('input[name=_csrf]').first().getAttribute('value')) ?? '';

it('a toast stays while pointed at or focused; Undo is one key away', async () => {
  const { page, appointment } = await bookedSalon('Salon Toast');
  await page.goto(appointment);
  await page.getByRole('button', { name: 'Cancel appointment' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel appointment' }).click();
  const toast = page.locator('.toast');
  await toast.waitFor();
  const goes = () =>
    page.evaluate<string>("getComputedStyle(document.querySelector('.toast')).animationName");
  expect(await page.evaluate<boolean>("document.activeElement.matches('.toast')")).toBe(true);
  expect(await goes()).toBe('none');
  await page.keyboard.press('Tab');
  expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Undo the cancellation');
  expect(await goes()).toBe('none');
  await page.locator('h1').click();
  expect(await goes()).toBe('toast-goes');
  await toast.hover();
  expect(await goes()).toBe('none');
  await expectNoFaults(page, 'toast');
  await toast.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Appointment restored.').waitFor();
});

it('the page of all parts has no fault that axe finds', async () => {
  const business = await world.newBusiness('Salon Design');
  const page = await world.signIn(await world.newPage(), business.email);
  await page.goto('/settings/design');
  await page.getByRole('heading', { name: 'Design', exact: true }).waitFor();
  await expectNoFaults(page, 'design');
});
