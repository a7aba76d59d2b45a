import { OPERATIONS } from '@frontdesk/contracts';
import type { Page } from 'playwright-core';
import { bookingOf, createCustomer, freeSlots } from '../e2e/support/business.ts';
import { eventually } from '../support/index.ts';
import { useBrowserWorld } from './browser-world.ts';
import { createKey } from './key-steps.ts';
import { runInShell } from './run-in-shell.ts';

const world = useBrowserWorld();

/** Presses every button that copies, and looks that it copies what is shown beside it. @returns the texts by what they are */
async function copyAll(page: Page): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
  for (const button of await page.locator('[data-copy]').all()) {
    const shown = button.locator('xpath=preceding-sibling::*[1]');
    const text = (await shown.textContent()) ?? '';
    // All pages of the run share one clipboard.
    await eventually(async () => {
      await button.click();
      expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(text);
    });
    texts.set((await shown.getAttribute('aria-label')) ?? '', text);
  }
  return texts;
}

const isCommand = (text: string) => /^(curl|export|[A-Z_]+=\$\()/.test(text);

it('what can be copied is what is shown, and every example of the documentation runs as it is', async () => {
  const business = await world.newBusiness('Salon Docs');
  const { api } = business;
  const customer = await createCustomer(api, 'Ada Lovelace', '+49 30 901820');
  const [slot] = await freeSlots(business, 1);
  if (!slot) throw new Error('no free slot');
  const body = bookingOf(slot, customer.id, business.serviceId);
  const booked = (await api<{ id: number }>('POST', '/appointments', { body })).data();

  const page = await world.signIn(await world.newPage(), business.email);
  await page.goto('/settings/calls/sources');
  await page.getByRole('radio', { name: /^Twilio/ }).check();
  await page.getByText('Your account’s auth token.', { exact: true }).waitFor();
  await page.getByRole('radio', { name: /^Generic/ }).check();
  await page.getByText('Your account’s auth token.', { exact: true }).waitFor({ state: 'hidden' });
  await page.getByLabel('Name').fill('Main line');
  await page.getByRole('button', { name: 'Add source' }).click();
  await page.getByText('Copy it now').waitFor();
  expect(await page.getByLabel('Credential type in Vapi').count()).toBe(0);
  expect([...(await copyAll(page)).keys()]).toEqual(['the secret', 'the address']);
  await page.getByRole('checkbox', { name: /^Keep the call/ }).check();
  await page.getByRole('button', { name: 'Make test call' }).click();
  await page.getByText('The call was accepted as').waitFor();
  await eventually(async () => {
    await page.goto('/settings/calls/sources');
    await page.getByText('No real call has come in yet; last test').waitFor();
    await page.getByRole('link', { name: 'Main line', exact: true }).click();
    await page.getByRole('heading', { name: 'Latest messages' }).waitFor();
    expect(await page.getByText('The test worked. No real call has come in yet.').count()).toBe(1);
  });
  await page.getByRole('row', { name: /Processed Test/ }).waitFor();
  await page.goto('/settings/statistics');
  await page.getByText('No calls in the last two weeks.').waitFor();

  await page.goto('/settings/api');
  await createKey(page, 'Website');
  await page.getByText('The key “Website” is ready.').waitFor();
  const ofKey = await copyAll(page);
  const [setKey = '', firstRequest = ''] = ['the command that sets the key', 'the command'].map((label) =>
    ofKey.get(label),
  );
  expect(await runInShell([firstRequest])).toMatchObject([{ status: 200 }]);

  await page.goto('/settings/api/docs/first-request');
  const ofGuide = await copyAll(page);
  expect(ofGuide.get('the command that sets the key')).toBe("export FRONTDESK_KEY='paste a key here'");
  const adds = 'the command that adds the example customer';
  const copied = new Map([[adds, ofGuide.get(adds) ?? '']]);
  // A new key may not see or change endpoints.
  const operations = OPERATIONS.filter(({ resource }) => resource !== 'webhooks');
  for (const { id } of operations) {
    await page.goto(`/settings/api/docs/operations/${id}`);
    for (const [label, text] of await copyAll(page))
      if (isCommand(text)) copied.set(label, text);
      else expect(() => JSON.parse(text)).not.toThrow();
  }
  // What is booked is cancelled, and what is given back was held: a hold ends in one way.
  const cleared: Record<string, string[]> = {
    'Book a hold': ['Book a hold', 'Cancel an appointment'],
    'Give a hold back': ['Hold a time', 'Give a hold back'],
  };
  const steps = operations.flatMap(({ title }) => cleared[title] ?? [title]);
  const labels = [adds, ...steps.map((title) => `the command of ${title}`)];
  const commands = labels.map((label) => [label, copied.get(label) ?? ''] as const);
  const statuses = new Map(operations.map(({ title, status }) => [title, status]));
  const documented = labels.map((label, index) => `${label}: ${statuses.get(steps[index - 1] ?? '') ?? 201}`);
  const before = (await api('GET', `/appointments/${booked.id}`)).body;
  // Twice: examples clear up behind themselves.
  for (const _time of [1, 2]) {
    const answers = await runInShell([setKey, ...commands.map(([, text]) => text)]);
    const answered = answers.slice(1).map(({ status }, index) => `${commands[index]?.[0]}: ${status}`);
    expect(answered.toSorted()).toEqual(documented.toSorted());
  }
  expect((await api('GET', `/appointments/${booked.id}`)).body).toEqual(before);
  expect((await api('GET', '/appointments?status=scheduled')).body).toMatchObject({ meta: { total: 1 } });

  const cancel = copied.get('the command of Cancel an appointment') ?? '';
  const [, alone] = await runInShell([setKey, cancel]);
  expect(alone).toMatchObject({
    status: null,
    output: expect.stringContaining('book the example appointment first'),
  });
});

it('an example that the business has nothing for can’t be copied, and leads to the cure', async () => {
  const { email } = await world.newBusiness('Salon Without Calls');
  const page = await world.signIn(await world.newPage(), email);
  await page.goto('/settings/api/docs/operations/get-call');
  const article = page.getByRole('main');
  expect(await article.getByRole('button', { name: 'Copy the command' }).count()).toBe(0);
  expect(await article.locator('mark').allTextContents()).toEqual(['<call id>']);
  await article.getByRole('link', { name: 'Connect a call source' }).click();
  await page.getByRole('heading', { name: 'Call sources' }).waitFor();
});
