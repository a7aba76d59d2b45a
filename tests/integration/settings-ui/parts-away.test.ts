import { eventually, startReceiver } from '../../support/index.ts';
import { NO_REDIS, NOBODY, type SettingsWorld, startSettingsWorld } from './settings-world.ts';

let world: SettingsWorld;
beforeAll(async () => {
  world = await startSettingsWorld();
});
afterAll(() => world.stop());

const DEADLINE_MS = '4000';

it('a service that is away shows in its cards; the rest of the page works', async () => {
  const on = await world.startSettings({ WEBHOOKS_INTERNAL_URL: NOBODY });
  const { browser } = await world.signedIn({ on });
  const made = await browser.form('/settings/api/keys', { name: 'Still made' });
  expect(made.status).toBe(201);
  expect(made.page).toContain('The key “Still made” is ready.');
  expect(made.page).toContain('The endpoints can’t be shown right now');
  expect(made.page).toContain('The log can’t be shown right now');
  const json = await browser.json('GET', '/settings/api');
  expect([json.status, json.body.code]).toEqual([503, 'service_unavailable']);

  const typed = { url: 'https://example.com/typed', events: ['call.ended'] };
  const refused = await browser.form('/settings/api/webhooks', typed);
  expect(refused.status).toBe(503);
  expect(refused.page).toContain(`value="${typed.url}"`);
});

it('a gateway that is away: no keys, no usage, times in UTC, and the webhooks as ever', async () => {
  const on = await world.startSettings({ GATEWAY_INTERNAL_URL: NOBODY });
  const { browser } = await world.signedIn({ on });
  const body = { url: 'https://example.com/hooks', events: ['call.ended'] };
  expect((await browser.json('POST', '/settings/api/webhooks', body)).status).toBe(201);
  const { status, page } = await browser.html('/settings/api');
  expect(status).toBe(200);
  expect(page).toContain('The keys can’t be shown right now');
  expect(page).toContain('The usage can’t be shown right now');
  expect(page).toContain('Times are when events came in, in UTC');
  expect(page).toContain('https://example.com/hooks');
});

it('without Redis nobody is signed in: every page says so, forms too', async () => {
  const on = await world.startSettings({ REDIS_URL: NO_REDIS });
  const browser = world.browser(on);
  browser.jar.set('frontdesk', 'some-session');
  const answers = [
    await browser.html('/settings/api'),
    await browser.form('/settings/api/keys', { name: 'X' }),
    await browser.form('/settings/sign-in', { email: 'a@b.example', password: 'x' }),
  ];
  for (const { status, page } of answers) {
    expect(status).toBe(503);
    expect(page).toContain('Settings are not available right now.');
  }
});

it('a service that hangs holds the page up no longer than the deadline: it comes while that hangs', async () => {
  const hanging = await startReceiver();
  hanging.respondWith(() => new Promise(() => {}));
  const on = await world.startSettings({ WEBHOOKS_INTERNAL_URL: hanging.url, PAGE_TIMEOUT_MS: DEADLINE_MS });
  const { browser } = await world.signedIn({ on });
  // The others have the same deadline, which a busy machine may miss now and then.
  await eventually(async () => {
    const { status, page } = await browser.html('/settings/api');
    expect(status).toBe(200);
    expect(page).toContain('The endpoints can’t be shown right now');
    expect(page).toContain('Create key');
  });
  await hanging.close();
});
