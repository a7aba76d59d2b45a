import { createCustomer } from '../e2e/support/business.ts';
import { createCallSource, endedCall, sendCall } from '../e2e/support/calls.ts';
import { eventually } from '../support/index.ts';
import { expectNoFaults } from './axe.ts';
import { useBrowserWorld } from './browser-world.ts';

const world = useBrowserWorld();

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
  await expectNoFaults(page, 'overview');
  await page.getByRole('link', { name: '1 missed caller to call back' }).click();
  const open = page.getByRole('region', { name: 'To call back' });
  const missed = open.getByRole('row', { name: /Mia Wong Left a voicemail/ });
  expect(await missed.getByRole('link', { name: '030 901820' }).getAttribute('href')).toBe('tel:+4930901820');
  await expectNoFaults(page, 'missed calls');
  await missed.getByRole('button', { name: 'Mark as called back' }).click();
  await open.getByText('All missed calls are called back.').waitFor();
  const done = page.getByRole('region', { name: 'Called back' });
  await done.getByText(`by ${business.email}`).waitFor();
  await expectNoFaults(page, 'called back');
  await done.getByRole('button', { name: 'Undo' }).click();
  await missed.waitFor();

  await page.getByRole('link', { name: 'All calls' }).click();
  await page.getByRole('heading', { name: 'Calls', exact: true }).waitFor();
  await expectNoFaults(page, 'calls');
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
  await expectNoFaults(page, 'one call');

  const [id = ''] = /\d+$/.exec(page.url()) ?? [];
  await page.goto(`/settings/search?q=${id}`);
  await page.getByRole('link', { name: /^Call from 030 901831/ }).waitFor();
  await expectNoFaults(page, 'a call found by its number');
  await page.goto('/settings/search?q=wong');
  await page.getByRole('link', { name: /^Mia Wong/ }).waitFor();
  await page.getByRole('link', { name: /^Call from/ }).waitFor();
  await expectNoFaults(page, 'a customer found with a call');
  await page.goto('/settings/search?q=nobody%20here');
  await page.getByText('Nothing found.').waitFor();
  await expectNoFaults(page, 'nothing found');
});
