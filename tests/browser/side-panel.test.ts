import type { Page } from 'playwright-core';
import { createCustomer } from '../e2e/support/business.ts';
import { expectNoFaults } from './axe.ts';
import { type BusinessOfAdmin, useBrowserWorld } from './browser-world.ts';

const world = useBrowserWorld();

/** Books a haircut so many minutes from now: it is about noon where the business is. */
async function bookIn(business: BusinessOfAdmin, customer: { id: number }, minutes: number): Promise<number> {
  const start = Temporal.Now.zonedDateTimeISO(business.tenant.timezone).add({ minutes }).toPlainDateTime();
  const [appointment_date, time = ''] = start.toString().split('T');
  const body = {
    customer_id: customer.id,
    service_id: business.serviceId,
    appointment_date,
    appointment_time: time.slice(0, 5),
  };
  return (await business.api<{ id: number }>('POST', '/appointments', { body })).data().id;
}

/** A business with two appointments of today, and who is signed in to it. */
async function openToday(name: string, view?: Parameters<typeof world.newPage>[0]) {
  const business = await world.newBusiness(name);
  const mia = await createCustomer(business.api, 'Mia Wong', '+49 30 901820');
  const [past, coming] = [await bookIn(business, mia, -40), await bookIn(business, mia, 120)];
  const page = await world.signIn(await world.newPage(view), business.email);
  await page.goto('/settings');
  return { business, page, mia, past, coming };
}

const panelOf = (page: Page) => page.getByRole('complementary');
const rowOf = (page: Page, id: number) => page.locator(`#agenda #appointment-${id}`);
const linkOf = (page: Page, id: number) =>
  rowOf(page, id).getByRole('link', { name: 'Mia Wong', exact: true });
const open = async (page: Page, id: number) => {
  await linkOf(page, id).click();
  await panelOf(page).getByRole('heading', { name: 'Haircut' }).waitFor();
};
/** The appointment beside has a link "Edit" too. */
const editCustomer = async (page: Page) => {
  const panel = panelOf(page);
  await panel.getByRole('link', { name: 'Mia Wong' }).click();
  await panel.getByRole('heading', { name: 'Contact' }).waitFor();
  await panel.getByRole('link', { name: 'Edit', exact: true }).click();
};
const isTitleFocused = (page: Page) =>
  page.evaluate<boolean>("document.activeElement?.id === 'beside-title'");
const isFocused = (page: Page, address: string) =>
  page.evaluate<boolean>(`document.activeElement?.getAttribute('href') === '${address}'`);
const addressOf = (id: number) => `/settings/calendar/appointments/${id}`;

it('an appointment opens beside Today, is completed there, and Today shows it', async () => {
  const { page, past } = await openToday('Salon Beside');
  await open(page, past);
  expect(await isTitleFocused(page)).toBe(true);
  expect(new URL(page.url()).pathname).toBe('/settings');
  await expectNoFaults(page, 'an appointment beside Today');
  const panel = panelOf(page);
  await panel.getByRole('link', { name: '030 901820' }).waitFor();
  await panel.getByRole('button', { name: 'Completed' }).click();
  await panel.getByText('Appointment completed.').waitFor();
  await rowOf(page, past).getByText('Completed').waitFor({ state: 'attached' });
  await panel.locator('.undo').getByRole('button', { name: 'Undo completing it' }).click();
  await panel.getByText('Appointment restored.').waitFor();
});

it('asks in a dialog of its own before it cancels, and moves and books in place', async () => {
  const { page, coming } = await openToday('Salon In Place');
  await open(page, coming);
  const panel = panelOf(page);
  await panel.getByRole('button', { name: 'Cancel appointment' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Keep it' }).click();
  await panel.getByRole('link', { name: 'Move', exact: true }).click();
  await panel.locator('.times button').last().click();
  await panel.getByText('Appointment moved.').waitFor();
  expect(await panel.getByRole('link', { name: 'Open page' }).getAttribute('href')).toContain(
    addressOf(coming),
  );
  await panel.getByRole('button', { name: 'Cancel appointment' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel appointment' }).click();
  await panel.getByText('Appointment cancelled.').waitFor();
  await panel.getByRole('link', { name: 'Book again' }).first().click();
  await panel.locator('.times a').last().click();
  await panel.getByRole('radio', { name: /Mia Wong/ }).check();
  await panel.getByRole('button', { name: 'Book', exact: true }).click();
  await panel.getByText('Appointment booked.').waitFor();
  expect(new URL(page.url()).pathname).toBe('/settings');
});

it('leads on to the customer and back, and is closed with the focus where it was', async () => {
  const { page, coming, mia } = await openToday('Salon Back');
  await open(page, coming);
  const panel = panelOf(page);
  await panel.getByRole('link', { name: 'Mia Wong' }).click();
  await panel.getByRole('heading', { name: 'Contact' }).waitFor();
  await expectNoFaults(page, 'a customer beside Today');
  await panel.getByRole('button', { name: 'Back' }).click();
  await panel.getByRole('heading', { name: 'Haircut' }).waitFor();
  await page.goForward();
  await panel.getByRole('heading', { name: 'Contact' }).waitFor();
  await page.reload();
  await panel.getByRole('heading', { name: 'Contact' }).waitFor();
  await page.goBack();
  await panel.getByRole('heading', { name: 'Haircut' }).waitFor();
  await page.goBack();
  await panel.waitFor({ state: 'detached' });
  await open(page, coming);
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  expect(await isFocused(page, addressOf(coming))).toBe(true);
  await open(page, coming);
  await panel.getByRole('button', { name: 'Close' }).click();
  await panel.waitFor({ state: 'detached' });
  expect(await isFocused(page, addressOf(coming))).toBe(true);
  await open(page, coming);
  await panel.getByRole('link', { name: 'Open page' }).click();
  await page.waitForURL(`**${addressOf(coming)}`);
  await page.getByRole('link', { name: 'Mia Wong' }).click();
  await page.waitForURL(`**/settings/customers/${mia.id}`);
});

it('what is typed there is not lost by a press', async () => {
  const { page, coming } = await openToday('Salon Unsaved');
  await open(page, coming);
  const panel = panelOf(page);
  await editCustomer(page);
  await panel.getByRole('textbox', { name: 'Notes' }).fill('Likes tea');
  const asked: string[] = [];
  let answers = [false, false, true];
  page.on('dialog', async (dialog) => {
    asked.push(dialog.message());
    const [first = true, ...rest] = answers;
    answers = rest;
    await (first ? dialog.accept() : dialog.dismiss());
  });
  await panel.getByRole('button', { name: 'Close' }).click();
  await linkOf(page, coming).click();
  expect(await panel.getByRole('textbox', { name: 'Notes' }).inputValue()).toBe('Likes tea');
  await panel.getByRole('button', { name: 'Close' }).click();
  await panel.waitFor({ state: 'detached' });
  expect(asked).toEqual(Array(3).fill('What you entered is not saved yet. Leave it?'));
  await open(page, coming);
  await editCustomer(page);
  await panel.getByRole('textbox', { name: 'Notes' }).fill('Likes coffee');
  await panel.getByRole('button', { name: 'Save customer' }).click();
  await panel.getByText('Customer saved.').waitFor();
  await panel.getByText('Likes coffee').waitFor();
});

it('says that the session is over, and that nothing can be had', async () => {
  const { page, coming } = await openToday('Salon Signed Out');
  await page.route(`**${addressOf(coming)}`, (route) => route.abort());
  await linkOf(page, coming).click();
  await panelOf(page).getByText('This can’t be shown right now.').waitFor();
  await page.unroute(`**${addressOf(coming)}`);
  await panelOf(page).getByRole('button', { name: 'Close' }).click();
  await panelOf(page).waitFor({ state: 'detached' });
  await page.context().clearCookies();
  await linkOf(page, coming).click();
  await panelOf(page).getByText('You are signed out.').waitFor();
  await expectNoFaults(page, 'signed out beside Today');
});

it('with a modifier key the link opens a tab of its own; on a phone, and without scripts, its page', async () => {
  const { business, page, coming } = await openToday('Salon Elsewhere');
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    linkOf(page, coming).click({ modifiers: ['ControlOrMeta'] }),
  ]);
  await tab.waitForURL(`**${addressOf(coming)}`);
  expect(await panelOf(page).count()).toBe(0);
  for (const view of [{ width: 390 }, { width: 1280, hasScripts: false }] as const) {
    const other = await world.signIn(await world.newPage(view), business.email);
    await other.goto('/settings');
    await linkOf(other, coming).click();
    await other.waitForURL(`**${addressOf(coming)}`);
    await other.getByRole('heading', { name: 'Haircut' }).waitFor();
  }
});

it('the calendar beside goes on: it shows what is done in the panel, and opens others', async () => {
  const { page, coming, past } = await openToday('Salon Calendar Beside');
  await page.goto('/settings/calendar');
  const tile = (id: number) => page.locator(`.plan a[href="${addressOf(id)}"]`);
  await tile(coming).click();
  const panel = panelOf(page);
  await panel.getByRole('button', { name: 'Cancel appointment' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel appointment' }).click();
  await panel.getByText('Appointment cancelled.').waitFor();
  await tile(coming).waitFor({ state: 'detached' });
  await tile(past).click();
  await panel.getByRole('button', { name: 'Completed' }).waitFor();
  await expectNoFaults(page, 'an appointment beside the calendar');
});
