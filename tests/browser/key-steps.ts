import type { Page } from 'playwright-core';

/** Fills in the form of a new key, on the page about the API, and sends it. */
export async function createKey(page: Page, name: string, preset = 'Everything') {
  const field = page.getByLabel('Name of a new key');
  const part = page.locator('details', { has: field });
  if ((await part.getAttribute('open')) === null) await part.locator('summary').click();
  await field.fill(name);
  await page.getByRole('radio', { name: preset }).check();
  await page.getByRole('button', { name: 'Create key' }).click();
}
