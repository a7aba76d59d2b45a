import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { expectNoFaults } from './axe.ts';
import { PASSWORD, useBrowserWorld } from './browser-world.ts';
import { createKey } from './key-steps.ts';

const world = useBrowserWorld();

const TITLE = 'Confirm it’s you';
const LATE = 11;
const question = (page: Page) => page.getByRole('dialog', { name: TITLE });
const answer = async (page: Page, password: string) => {
  await question(page).getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
};

/** The page about the API, of who showed the password some minutes ago. */
async function late(name: string, hasScripts = true) {
  const { email } = await world.newBusiness(name);
  const page = await world.signIn(await world.newPage({ width: 1280, hasScripts }), email);
  await world.confirmedAgo(page, LATE);
  return { page, email };
}

it('a key is made after the password, which a dialog asks for; what else was typed stays', async () => {
  const { page } = await late('Salon Late');
  await page.getByLabel('URL').fill('https://typed.example/hooks');
  await createKey(page, 'Website');
  await question(page).waitFor();
  const focused = 'document.activeElement.type';
  expect(await page.evaluate(focused)).toBe('password');
  await expectNoFaults(page, 'question');
  await answer(page, 'not my password');
  await question(page).getByText('The password is wrong.').waitFor();
  await expectNoFaults(page, 'wrong answer');
  await answer(page, PASSWORD);
  await page.getByText('The key “Website” is ready.').waitFor();
  expect(await question(page).count()).toBe(0);
  expect(await page.getByLabel('URL').inputValue()).toBe('https://typed.example/hooks');
  expect(await page.getByRole('rowheader', { name: 'Website' }).count()).toBe(1);
  // Ten minutes go on from here.
  await createKey(page, 'Another');
  await page.getByText('The key “Another” is ready.').waitFor();
});

it('an endpoint gets another address after the password; what was typed stays', async () => {
  const { page } = await late('Salon Elsewhere');
  await world.confirmedAgo(page, 0);
  await page.getByLabel('URL').fill('https://first.example/hooks');
  await page.getByRole('checkbox', { name: 'a call is missed' }).check();
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  await page.getByRole('link', { name: 'Edit or replay' }).click();
  await world.confirmedAgo(page, LATE);
  await page.getByRole('textbox', { name: 'URL' }).fill('https://second.example/hooks');
  await page.getByRole('button', { name: 'Save' }).click();
  await question(page).getByRole('button', { name: 'Cancel' }).click();
  await question(page).waitFor({ state: 'detached' });
  expect(await page.getByRole('textbox', { name: 'URL' }).inputValue()).toBe('https://second.example/hooks');
  await page.getByRole('button', { name: 'Save' }).click();
  await answer(page, PASSWORD);
  await page.getByText('Endpoint saved.').waitFor();
  await page.getByRole('heading', { name: 'https://second.example/hooks' }).waitFor();
});

it('out of a dialog too; nothing is done where it is not answered', async () => {
  const { page } = await late('Salon Later');
  await world.confirmedAgo(page, 0);
  await createKey(page, 'Old');
  await page.getByText('The key “Old” is ready.').waitFor();
  await world.confirmedAgo(page, LATE);
  await page.getByRole('button', { name: 'Revoke the key Old' }).click();
  const revoke = page.getByRole('dialog', { name: 'Revoke “Old”?' });
  await revoke.getByRole('button', { name: 'Revoke key' }).click();
  await question(page).getByRole('button', { name: 'Cancel' }).click();
  await question(page).waitFor({ state: 'detached' });
  await revoke.getByRole('button', { name: 'Revoke key' }).click();
  await question(page).waitFor();
  await page.keyboard.press('Escape');
  await question(page).waitFor({ state: 'detached' });
  expect(await page.getByRole('row', { name: /Old.*Active/ }).count()).toBe(1);
  await revoke.getByRole('button', { name: 'Revoke key' }).click();
  await answer(page, PASSWORD);
  await page.getByText('Key revoked.').waitFor();
});

it('without scripts a page asks, and goes on to what was sent', async () => {
  const { page } = await late('Salon Plain', false);
  await createKey(page, 'Plain "key" & more');
  await page.getByRole('heading', { name: TITLE }).waitFor();
  await page.getByLabel('Password').fill('not my password');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('The password is wrong.').waitFor();
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('The key “Plain "key" & more” is ready.').waitFor();
});

it('a file comes after the password; the page that asks has no faults in any look', async () => {
  const { page } = await late('Salon File');
  await page.goto('/settings/customers');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  await page.getByRole('heading', { name: TITLE }).waitFor();
  await expectNoFaults(page, 'question');
  await page.getByLabel('Password').fill(PASSWORD);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Confirm' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('customers.csv');
  expect(await text(await download.createReadStream())).toContain('name');
  await page.getByRole('link', { name: 'Back' }).click();
  await page.getByRole('heading', { name: 'Customers' }).waitFor();
});

it('sessions are listed; one is ended, then all others', async () => {
  const { email } = await world.newBusiness('Salon Sessions');
  const page = await world.signIn(await world.newPage(), email);
  const others = [];
  for (let i = 0; i < 3; i += 1) others.push(await world.signIn(await world.newPage(), email));
  await page.goto('/settings/account');
  const rows = page.getByRole('row', { name: /Chrome on Linux/ });
  await rows.nth(3).waitFor();
  expect(await rows.nth(0).textContent()).toContain('This browser');
  await expectNoFaults(page, 'sessions');
  await rows.nth(1).getByRole('button', { name: /^End/ }).click();
  await page.getByText('Session ended.').waitFor();
  expect(await rows.count()).toBe(3);
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await page.getByText('You are signed out everywhere else.').waitFor();
  expect(await rows.count()).toBe(1);
  for (const other of others) {
    await other.goto('/settings/api');
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
  }
  await page.getByRole('button', { name: 'Your menu' }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});
