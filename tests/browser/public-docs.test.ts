import { createPages } from '@frontdesk/reference';
import type { Page } from 'playwright-core';
import { expectNoFaults } from './axe.ts';
import { useBrowserWorld } from './browser-world.ts';
import { runInShell } from './run-in-shell.ts';

const world = useBrowserWorld();
const PATHS = createPages().map(({ path }) => (path === 'index' ? '/docs' : `/docs/${path}`));
/** One of each kind; the others of a kind are made in the same way. */
const LOOKED_AT = [
  ...PATHS.filter((path) => /^\/docs(\/[a-z-]+)?$/.test(path)),
  ...['/docs/operations/list-appointments', '/docs/operations/create-appointment', '/docs/records/call'],
  ...['/docs/events/call.ended', '/docs/errors/slot_unavailable', '/docs/nothing'],
  ...['/docs/search', '/docs/search?q=cursor', '/docs/search?q=zzzz'],
];
const WIDTHS = [320, 390, 768, 1280, 1920];

/** What the page has asked others than the gateway for. */
function foreignRequests(page: Page): string[] {
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(world.target.gatewayUrl)) foreign.push(request.url());
  });
  return foreign;
}

const isTooWide = (page: Page) =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth');

it('can be read by everybody, at any width, without scripts and without asking anybody else', async () => {
  const page = await world.newPage();
  const foreign = foreignRequests(page);
  for (const path of LOOKED_AT) {
    await page.goto(`${world.target.gatewayUrl}${path}`);
    await expectNoFaults(page, path);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      expect([path, width, await isTooWide(page)]).toEqual([path, width, false]);
    }
  }
  const plain = await world.newPage({ width: 390, hasScripts: false });
  await plain.goto(`${world.target.gatewayUrl}/docs`);
  await plain.getByText('All pages').click();
  await plain
    .getByRole('navigation', { name: 'Documentation' })
    .getByRole('link', { name: 'Webhooks', exact: true })
    .click();
  await plain.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
  expect(await plain.getByRole('button').allTextContents()).toEqual(['Search']);
  expect(foreign).toEqual([]);
});

it('is searched from any page: by the key /, by the button without scripts', async () => {
  const page = await world.newPage();
  await page.goto(`${world.target.gatewayUrl}/docs/lists`);
  await page.keyboard.press('/');
  await page.keyboard.type('slot_unavailable/');
  const field = page.getByRole('searchbox', { name: 'Search the documentation' });
  expect(await field.inputValue()).toBe('slot_unavailable/');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'slot_unavailable', exact: true }).first().click();
  await page.getByRole('heading', { name: 'slot_unavailable', level: 1 }).waitFor();

  const plain = await world.newPage({ width: 390, hasScripts: false });
  await plain.goto(`${world.target.gatewayUrl}/docs`);
  await plain.getByRole('searchbox').fill('signature');
  await plain.getByRole('button', { name: 'Search' }).click();
  await plain.getByRole('link', { name: 'Webhooks: Verify the signature' }).click();
  await plain.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
});

it('the commands of the first request run as they are, from top to bottom', async () => {
  const { api, key } = await world.newBusiness('Salon First Request');
  const page = await world.newPage();
  await page.goto(`${world.target.gatewayUrl}/docs/first-request`);
  const shown = await page.locator('.snippet').all();
  const commands = await Promise.all(
    shown.map(async (one) => (await one.locator('pre').textContent()) ?? ''),
  );
  expect(commands[0]).toBe("export FRONTDESK_KEY='paste a key here'");
  // What a button says goes again by itself: not before it is seen.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 3_600_000);
  for (const one of shown) {
    await one.getByRole('button', { name: 'Copy' }).click();
    await one.getByRole('button', { name: 'Copied' }).waitFor();
  }
  const answers = await runInShell([`export FRONTDESK_KEY='${key}'`, ...commands.slice(1)]);
  expect(answers.map(({ status }) => status)).toEqual([null, 200, 201, 200, null, 201, 200]);
  expect((await api('GET', '/appointments?status=cancelled')).body).toMatchObject({ meta: { total: 1 } });
});

it('the console sends requests with a key that is typed, and keeps it nowhere', async () => {
  const { key } = await world.newBusiness('Salon Console');
  const page = await world.newPage();
  const foreign = foreignRequests(page);
  await page.goto(`${world.target.gatewayUrl}/docs/console#tag/services/GET/api/v1/services`);
  await page.getByPlaceholder('Token').first().fill(key);
  const answered = page.waitForResponse(/\/api\/v1\/services$/);
  await page
    .getByRole('button', { name: /Test Request.*\/api\/v1\/services\)?$/ })
    .first()
    .click();
  await page.getByRole('button', { name: /^Send/ }).first().click();
  const answer = await answered;
  expect([answer.status(), await answer.request().headerValue('authorization')]).toEqual([
    200,
    `Bearer ${key}`,
  ]);

  const kept = await page.evaluate<string>(
    `(async () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, await indexedDB.databases()]))()`,
  );
  expect(kept).not.toContain(key.slice(0, 20));
  expect(JSON.parse(kept).at(-1)).toEqual([]);
  expect(await page.context().cookies()).toEqual([]);
  await page.reload();
  await page.getByPlaceholder('Token').first().waitFor();
  expect(await page.getByPlaceholder('Token').first().inputValue()).toBe('');
  expect(foreign).toEqual([]);
});

it('the console asks nobody else for anything, wherever one goes in it, at any width and in both schemes', async () => {
  const page = await world.newPage();
  const foreign = foreignRequests(page);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(`${world.target.gatewayUrl}/docs/console`);
    await page.getByRole('heading', { name: 'Frontdesk API' }).first().waitFor();
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      expect([colorScheme, width, await isTooWide(page)]).toEqual([colorScheme, width, false]);
    }
  }
  expect(foreign).toEqual([]);
});
