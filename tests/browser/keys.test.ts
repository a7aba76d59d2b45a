import type { Page } from 'playwright-core';
import { eventually } from '../support/index.ts';
import { expectNoFaults } from './axe.ts';
import { useBrowserWorld } from './browser-world.ts';
import { createKey } from './key-steps.ts';

const world = useBrowserWorld();

const shownKey = async (page: Page) =>
  ((await page.getByRole('group', { name: 'the key', exact: true }).textContent()) ?? '').trim();
const statusOf = async (key: string, resource: string) => {
  const headers = { authorization: `Bearer ${key}` };
  return (await fetch(`${world.target.gatewayUrl}/api/v1/${resource}`, { headers })).status;
};

it('a key’s permissions can be changed and the key replaced on its page', async () => {
  const { email } = await world.newBusiness('Salon Narrow');
  const page = await world.signIn(await world.newPage(), email);
  await page.getByText('Create a key', { exact: true }).click();
  await page.getByLabel('Name of a new key').fill('Website');
  const box = (name: string) => page.getByRole('checkbox', { name });
  expect(await box('See staff members').isVisible()).toBe(false);
  await page.getByRole('radio', { name: /^Custom\b/ }).check();
  await page.getByLabel('Allowed networks').fill('203.0.113.300');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByText('Choose at least one.').waitFor();
  await page.getByText('Enter IP addresses or networks').waitFor();
  await expectNoFaults(page, 'key refused');
  await box('See staff members').check();
  await page.getByLabel('Allowed networks').fill('203.0.113.0/24');
  const lastDay = Temporal.Now.plainDateISO('UTC').add({ days: 30 }).toString();
  await page.getByLabel('Expires on').fill(lastDay);
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByText('The key “Website” is ready.').waitFor();
  const key = await shownKey(page);
  expect(await statusOf(key, 'staff')).toBe(403);
  await page.getByRole('row', { name: /Website.*Expires on/ }).waitFor();

  await page.getByRole('link', { name: 'Website', exact: true }).click();
  await page.getByRole('heading', { name: 'Website' }).waitFor();
  await page.getByText('No requests in the last 30 days.').waitFor();
  expect(await page.getByLabel('Expires on').inputValue()).toBe(lastDay);
  await page.getByLabel('Allowed networks').fill('');
  await box('See services.').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Key saved.').waitFor();
  await eventually(async () => expect(await statusOf(key, 'services')).toBe(200));
  expect([await statusOf(key, 'staff'), await statusOf(key, 'customers')]).toEqual([200, 403]);
  await eventually(async () => {
    await page.reload();
    await page.getByText('requests in 30 days').waitFor();
  });
  await expectNoFaults(page, 'key');

  await page.getByLabel('The old key stops working').selectOption('In an hour');
  await page.getByRole('button', { name: 'Replace key' }).click();
  await page.getByText('The key “Website” is ready.').waitFor();
  const next = await shownKey(page);
  expect(next).not.toBe(key);
  expect([await statusOf(key, 'staff'), await statusOf(next, 'staff')]).toEqual([200, 200]);
  await page.getByRole('row', { name: /Website.*Replaced/ }).waitFor();
});

it('the pages of keys work without scripts, on a phone', async () => {
  const { email } = await world.newBusiness('Salon Plain Key');
  const page = await world.signIn(await world.newPage({ width: 390, hasScripts: false }), email);
  await createKey(page, 'Agent', 'Voice agent');
  await page.getByText('The key “Agent” is ready.').waitFor();
  await page.getByRole('link', { name: 'Agent', exact: true }).click();
  await page.getByRole('button', { name: 'Replace key' }).click();
  await page.getByText('The key “Agent” is ready.').waitFor();
  expect(await page.getByRole('row', { name: /Agent/ }).count()).toBe(2);
});
