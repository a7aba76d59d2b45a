import type { Page } from 'playwright-core';
import { createCustomer } from '../e2e/support/business.ts';
import { createCallSource, endedCall, sendCall } from '../e2e/support/calls.ts';
import { eventually } from '../support/index.ts';
import { faultsOf } from './axe.ts';
import { useBrowserWorld } from './browser-world.ts';

const world = useBrowserWorld();

const NARROWEST = 320;

/** What axe finds at the usual widths, and whether the page fits the narrowest one. */
async function faultsAt(page: Page): Promise<string[]> {
  const faults = await faultsOf(page);
  await page.setViewportSize({ width: NARROWEST, height: 800 });
  const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
  await page.setViewportSize({ width: 1280, height: 800 });
  return isTooWide ? [...faults, `${NARROWEST} px: too wide`] : faults;
}

it('a missed caller is seen on the overview, called back and ticked off; a call is found and read', async () => {
  const business = await world.newBusiness('Salon Calls');
  await createCustomer(business.api, 'Mia Wong', '+49 30 901820');
  const source = await createCallSource(world.target, business.tenant.id);
  const ring = async (seconds: number, fields: object) => {
    const [started_at, ended_at] = [60, 60 - seconds].map((ago) => new Date(Date.now() - ago * 1_000));
    const call = endedCall({ started_at, ended_at, ...fields });
    expect((await sendCall(world.target, source, call)).status).toBe(202);
  };
  await ring(6, { from_number: '+4930901820', outcome: 'voicemail', transcript: undefined });
  await ring(50, { from_number: '+4930901831' });

  const page = await world.signIn(await world.newPage(), business.email);
  await eventually(async () => {
    await page.goto('/settings');
    expect(await page.getByRole('link', { name: '1 missed caller to call back' }).count()).toBe(1);
  });
  expect(await faultsAt(page)).toEqual([]);
  await page.getByRole('link', { name: '1 missed caller to call back' }).click();
  const open = page.getByRole('region', { name: 'To call back' });
  const missed = open.getByRole('row', { name: /Mia Wong Left a voicemail/ });
  expect(await missed.getByRole('link', { name: '+4930901820' }).getAttribute('href')).toBe(
    'tel:+4930901820',
  );
  expect(await faultsAt(page)).toEqual([]);
  await missed.getByRole('button', { name: 'Mark as called back' }).click();
  await open.getByText('All missed calls are called back.').waitFor();
  const done = page.getByRole('region', { name: 'Called back' });
  await done.getByText(`by ${business.email}`).waitFor();
  expect(await faultsAt(page)).toEqual([]);
  await done.getByRole('button', { name: 'Undo' }).click();
  await missed.waitFor();

  await page.getByRole('link', { name: 'All calls' }).click();
  await page.getByRole('heading', { name: 'Calls', exact: true }).waitFor();
  expect(await faultsAt(page)).toEqual([]);
  await page.getByLabel('Sentiment').selectOption('Positive');
  await page.getByRole('combobox', { name: 'Calls' }).selectOption('Answered');
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByText('1–1 of 1').waitFor();
  await page.getByRole('table').getByRole('link').click();
  await page.getByRole('heading', { name: /^Call from/ }).waitFor();
  const said = page.getByRole('region', { name: 'Transcript' }).getByRole('listitem');
  expect(await said.allTextContents()).toEqual([
    'Agent 0:00Salon Ringing, good morning.',
    expect.stringMatching(/ 0:02A haircut on Friday, please\. ✂$/),
  ]);
  expect(await faultsAt(page)).toEqual([]);
});
