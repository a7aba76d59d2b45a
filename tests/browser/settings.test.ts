import type { Page } from 'playwright-core';
import { bookingOf, createCustomer, freeSlots } from '../e2e/support/business.ts';
import { eventually } from '../support/index.ts';
import { expectNoFaults } from './axe.ts';
import { copyBy, PASSWORD, useBrowserWorld, useReceiver } from './browser-world.ts';
import { createKey } from './key-steps.ts';

const world = useBrowserWorld();
const receiver = useReceiver();

const textIn = async (page: Page, name: string) =>
  ((await page.getByRole('group', { name, exact: true }).textContent()) ?? '').trim();
/** Answers the question that a dialog asks. */
const confirm = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name }).click();

it('a key is made, copied and used; revoked, it is refused', async () => {
  const { email } = await world.newBusiness('Salon Keys');
  const page = await world.signIn(await world.newPage(), email);
  await createKey(page, 'Website');
  await page.getByText('The key “Website” is ready.').waitFor();
  const key = await textIn(page, 'the key');
  expect(await copyBy(page, 'Copy the key', new RegExp(`^${key}$`))).toBe(key);
  expect(await textIn(page, 'the command')).toContain(`${world.target.gatewayUrl}/api/v1/business`);

  const status = async () => {
    const headers = { authorization: `Bearer ${key}` };
    return (await fetch(`${world.target.gatewayUrl}/api/v1/services`, { headers })).status;
  };
  expect(await status()).toBe(200);
  await page.getByRole('button', { name: 'Revoke the key Website' }).click();
  await confirm(page, 'Revoke key');
  await page.getByText('Key revoked.').waitFor();
  await eventually(async () => expect(await status()).toBe(401));

  await page.getByRole('button', { name: 'Delete the key Website' }).click();
  await confirm(page, 'Delete key');
  await page.getByText('Key deleted.').waitFor();
  expect(await page.getByRole('rowheader', { name: 'Website' }).count()).toBe(0);
  await page.reload();
  expect(await page.getByText('Key deleted.').count()).toBe(0);
  expect(await page.content()).not.toContain(key);

  await page.context().clearCookies();
  await createKey(page, 'Too late');
  await page.getByRole('link', { name: 'Sign in in a new tab' }).waitFor();
  expect(await page.getByLabel('Name of a new key').inputValue()).toBe('Too late');
});

it('an endpoint is added; what is booked appears in the log by itself, and is sent again on demand', async () => {
  const business = await world.newBusiness('Salon Webhooks');
  const page = await world.signIn(await world.newPage(), business.email);
  await page.getByLabel('URL').fill('ftp://typed.example');
  await page.getByRole('checkbox', { name: 'a new appointment is booked' }).check();
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  await page.getByText('Enter a complete URL that begins with').waitFor();
  expect(await page.getByRole('checkbox', { name: 'a new appointment is booked' }).isChecked()).toBe(true);
  await page.getByLabel('URL').fill(`${receiver.url}/hooks`);
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  await page.getByText('Copy it now').waitFor();
  expect(await textIn(page, 'the secret')).toMatch(/^whsec_/);

  const [slot] = await freeSlots(business, 2);
  if (!slot) throw new Error('no free slot');
  const customer = await createCustomer(business.api, 'Mia Wong', '+49 30 901820');
  const body = bookingOf(slot, customer.id, business.serviceId);
  expect((await business.api('POST', '/appointments', { body })).status).toBe(201);
  const delivered = page.getByRole('row', { name: /appointment\.created.*Delivered/ });
  await delivered.waitFor();

  const sent = receiver.requests.length;
  const answer = Promise.withResolvers<{ status: number }>();
  receiver.respondWith(() => answer.promise);
  await delivered.getByRole('link', { name: 'Details' }).click();
  await page.getByText('Attempt 1 ·').click();
  await page.getByRole('button', { name: 'Resend' }).click();
  await page.getByText('The delivery is on its way again.').waitFor();
  await eventually(() => expect(receiver.requests.length).toBe(sent + 1));
  await page.getByText('Pending', { exact: true }).waitFor();
  const first = page.getByText('Attempt 1 ·');
  await first.click();
  await first.focus();
  answer.resolve({ status: 200 });
  // The page follows; what is opened stays open, and the focus where it is.
  await page.getByText('Attempt 2 ·').waitFor();
  await page.getByText('Delivered', { exact: true }).first().waitFor();
  expect(await page.locator('#attempt-1 details').getAttribute('open')).toBe('');
  expect(await page.evaluate('document.activeElement.textContent')).toContain('Attempt 1 ·');

  await page.goto('/settings/api?status=failed');
  await page.getByText('No deliveries match this filter.').waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await confirm(page, 'Pause endpoint');
  await page.getByText('Endpoint paused. Events are not sent').waitFor();
});

it('without an answer nothing that was typed is lost, and it can be sent again', async () => {
  const { email } = await world.newBusiness('Salon Offline');
  const page = await world.signIn(await world.newPage(), email);
  await page.context().setOffline(true);
  await createKey(page, 'Website');
  await page.getByText('There was no answer.').waitFor();
  await page.context().setOffline(false);
  // The browser’s emulated network holds once a request shows it.
  await eventually(async () => expect(await page.evaluate("fetch('').then(({ ok }) => ok)")).toBe(true));
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByText('The key “Website” is ready.').waitFor();
});

it('works with the keyboard alone', async () => {
  const { email } = await world.newBusiness('Salon Keyboard');
  const page = await world.newPage();
  await page.goto('/settings/api');
  const focused = () =>
    page.evaluate<string>('document.activeElement.id || document.activeElement.textContent.trim()');
  /** Goes on until what is wanted has the focus. */
  const tabTo = async (wanted: RegExp) => {
    for (let i = 0; i < 60; i += 1) {
      await page.keyboard.press('Tab');
      if (wanted.test(await focused())) return;
    }
    throw new Error(`${wanted} can't be reached`);
  };
  await tabTo(/^email$/);
  await page.keyboard.type(email);
  await tabTo(/^password$/);
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'API and webhooks' }).waitFor();
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('Skip to content');
  await page.keyboard.press('Enter');
  await tabTo(/^Create a key$/);
  await page.keyboard.press('Enter');
  await tabTo(/^name$/);
  await page.keyboard.type('By keyboard');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await page.getByText('The key “By keyboard” is ready.').waitFor();
  expect(await focused()).toContain('is ready');
  await tabTo(/^Revoke the key By keyboard$/);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  expect(await focused()).toBe('Revoke the key By keyboard');
  await page.keyboard.press('Enter');
  await tabTo(/^Revoke key$/);
  await page.keyboard.press('Enter');
  await page.getByText('Key revoked.').waitFor();
  expect(await focused()).toContain('Key revoked.');
});

it('axe finds nothing on any page in any look, and none has to be scrolled sideways', async () => {
  const { email } = await world.newBusiness('Salon without faults');
  const page = await world.newPage();
  await page.goto('/settings/sign-in');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill('wrong password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').waitFor();
  await expectNoFaults(page, 'sign-in');
  await world.signIn(page, email);
  await expectNoFaults(page, 'empty page');

  await createKey(page, 'A website with a rather long name');
  await page.getByText('is ready.').waitFor();
  await expectNoFaults(page, 'new key');
  await page.getByLabel('URL').fill(`${receiver.url}/a/rather/long/address/${'x'.repeat(60)}`);
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  await page.getByText('Choose at least one.').waitFor();
  await expectNoFaults(page, 'refused form');
  await page.getByRole('checkbox', { name: 'a call is missed' }).check();
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  await page.getByRole('button', { name: 'Send test event' }).click();
  await page.getByText('The test event arrived').waitFor();
  await expectNoFaults(page, 'test');
  await page.getByRole('link', { name: 'Back to API and webhooks' }).click();
  await page.getByRole('row', { name: /endpoint\.test.*Delivered/ }).waitFor();
  await expectNoFaults(page, 'full page');
  await page.getByRole('button', { name: /^Delete http/ }).click();
  await expectNoFaults(page, 'dialog');
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: 'Details' }).first().click();
  await page.getByText('Attempt 1 ·').click();
  await expectNoFaults(page, 'delivery');
  for (const path of [
    '/settings/audit',
    '/settings/account',
    '/settings/nothing',
    '/settings/reset?token=x',
  ]) {
    await page.goto(path);
    await expectNoFaults(page, path);
  }
});
