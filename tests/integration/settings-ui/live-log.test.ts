import { liveMarkups } from './live-markups.ts';
import { type SettingsWorld, startSettingsWorld } from './settings-world.ts';

let world: SettingsWorld;
beforeAll(async () => {
  world = await startSettingsWorld();
});
afterAll(() => world.stop());

const LIVE = '/settings/api/deliveries/live';

it('sends the log once it has changed, and a stop ends it', async () => {
  const service = await world.startSettings();
  const { browser } = await world.signedIn({ on: service });
  const body = { url: 'https://example.com/hooks', events: ['call.ended'] };
  const { data: endpoint } = (await browser.json('POST', '/settings/api/webhooks', body)).body;
  const stream = await liveMarkups(service, browser, LIVE);
  expect((await stream.next()).value).toContain('Nothing has been sent yet');

  await browser.json('POST', `/settings/api/webhooks/${endpoint.id}/test`, {});
  expect((await stream.next()).value).toContain('endpoint.test');

  const begun = performance.now();
  const rest = (async () => {
    for await (const _ of stream);
  })();
  await service.api.close();
  await rest;
  expect(performance.now() - begun).toBeLessThan(2_000);
});

it('tells a browser in which nobody is signed in to come no more', async () => {
  const { status, page } = await world.browser().html(LIVE);
  expect([status, page]).toEqual([204, '']);
});
