import { createCustomer } from '../e2e/support/business.ts';
import { createCallSource, endedCall, sendCall } from '../e2e/support/calls.ts';
import { expectNoFaults } from './axe.ts';
import { useBrowserWorld } from './browser-world.ts';

const world = useBrowserWorld();

it('a missed caller is seen on Today, called back and ticked off; a call is found and read', async () => {
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
  await page.goto('/settings');
  await page.getByRole('link', { name: '1 to call back' }).waitFor();
  await page.getByRole('region', { name: 'To call back' }).getByText('left a voicemail').waitFor();
  await expectNoFaults(page, 'Today');
  await page.goto('/settings/calls/missed');
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
  await page.getByRole('link', { name: 'Open page' }).click();
  await page.waitForURL(/\/calls\/\d+$/);
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

/** Says of each change of the page whether the row, and what is said of it, are there. The text of what was wrong in between. */
const WATCH = `
  (row, words) => {
    globalThis.wrong = [];
    const look = () => {
      const isListed = document.querySelector(row) !== null;
      const isSaid = document.querySelector('main').textContent.includes(words);
      if (isListed && isSaid) globalThis.wrong.push('the row is beside the message');
      if (!isListed && !isSaid) globalThis.wrong.push('the row is gone without a message');
    };
    new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true });
    look();
  }`;

it('a row goes with the message that it is called back, and stays with the reason where that fails', async () => {
  const business = await world.newBusiness('Salon Rows');
  const source = await createCallSource(world.target, business.tenant.id);
  const ring = async (from_number: string) => {
    const [started_at, ended_at] = [60_000, 54_000].map((ago) => new Date(Date.now() - ago));
    const call = endedCall({
      started_at,
      ended_at,
      from_number,
      outcome: 'voicemail',
      transcript: undefined,
    });
    expect((await sendCall(world.target, source, call)).status).toBe(202);
  };
  await ring('+4930901841');
  await ring('+4930901842');
  const page = await world.signIn(await world.newPage(), business.email);
  await page.goto('/settings/calls/missed');
  const rowOf = (number: string) => page.getByRole('row').filter({ hasText: number });
  const [first, second] = [rowOf('030 901841'), rowOf('030 901842')];
  await first.waitFor();
  await second.waitFor();
  const press = (row: typeof first) => row.getByRole('button', { name: 'Mark as called back' }).click();

  await page.route('**/called-back', (route) => route.abort());
  await press(first);
  const reason = first.getByText('There was no answer. Check whether the change was made');
  await reason.waitFor();
  await ring('+4930901843');
  await rowOf('030 901843').waitFor();
  expect(await reason.count()).toBe(1);
  await page.unroute('**/called-back');

  // The change is made, and its answer is a long time coming.
  const made = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  await page.route('**/called-back', async (route) => {
    const response = await route.fetch();
    made.resolve();
    await answered.promise;
    await route.fulfill({ response });
  });
  const said = 'Marked as called back.';
  const idOf = async (row: typeof first) => `#${await row.getAttribute('id')}`;
  const firstId = await idOf(first);
  await page.evaluate(`(${WATCH})(${JSON.stringify(firstId)}, ${JSON.stringify(said)})`);
  await press(first);
  await made.promise;
  await page.evaluate(`new Promise((resolve) => {
    const stream = new EventSource('/settings/calls/missed/live');
    stream.onmessage = ({ data }) => {
      if (data.includes(${JSON.stringify(firstId.slice(1))})) return;
      stream.close();
      resolve();
    };
  })`);
  answered.resolve();
  await page.getByText(said).waitFor();
  expect(await page.evaluate('wrong')).toEqual([]);
  await page.unroute('**/called-back');

  await page.goto('/settings/calls/missed');
  await second.waitFor();
  await page.evaluate(`(${WATCH})(${JSON.stringify(await idOf(second))}, ${JSON.stringify(said)})`);
  await press(second);
  await page.getByText(said).waitFor();
  // Until the page has heard of what happened after it was shown.
  await ring('+4930901844');
  await rowOf('030 901844').waitFor();
  expect(await page.evaluate('wrong')).toEqual([]);
});
