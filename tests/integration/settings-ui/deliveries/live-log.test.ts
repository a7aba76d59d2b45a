import { createHash } from 'node:crypto';
import { Redis } from 'ioredis';
import { engines, eventually, startRelay } from '../../../support/index.ts';
import type { Browser } from '../inject-browser.ts';
import { ended, liveMarkups, until, withoutAge } from '../live-markups.ts';
import { type SettingsWorld, startSettingsWorld, UNANSWERED } from '../settings-world.ts';

let world: SettingsWorld;
beforeAll(async () => {
  world = await startSettingsWorld();
});
beforeEach(withoutAge);
afterEach(() => jest.restoreAllMocks());
afterAll(() => world.stop());

const LIVE = '/settings/api/deliveries/live';
const ENDPOINT = { url: UNANSWERED, events: ['call.ended'] };

/** Of the forms in markup that are taken once. */
const tokensIn = (markup: string | undefined) =>
  Array.from((markup ?? '').matchAll(/name="form_token" value="([^"]+)"/g), ([, token]) => token);

it('sends the log once it has changed, and nothing else with it; a stop ends it', async () => {
  const service = await world.startSettings();
  const { browser } = await world.signedIn({ on: service });
  const { data: endpoint } = (await browser.json('POST', '/settings/api/webhooks', ENDPOINT)).body;
  const stream = await liveMarkups(service, browser, LIVE);
  const { value: first } = await stream.next();
  expect(first).toContain('Nothing has been sent yet');

  await browser.json('POST', `/settings/api/webhooks/${endpoint.id}/test`, {});
  const next = await until(stream, /endpoint\.test/);
  expect(tokensIn(next)).toEqual(tokensIn(first));
  expect(tokensIn(next)).toHaveLength(1);

  await Promise.all([service.api.close(), ended(stream)]);
});

it('204 for a browser in which nobody is signed in', async () => {
  const { status, page } = await world.browser().html(LIVE);
  expect([status, page]).toEqual([204, '']);
});

const COME_AGAIN = 'retry: 5000\n\n';
const redis = new Redis(engines().redisUrl, { lazyConnect: true });
afterAll(() => redis.disconnect());

const keyOf = ({ jar }: Browser) =>
  `settings:session:${createHash('sha256')
    .update(jar.get('frontdesk') ?? '')
    .digest('base64url')}`;

it('ends with the session: when its admin is removed, when they sign out', async () => {
  const { browser, tenantId, email } = await world.signedIn();
  const other = await world.signedIn({ tenantId });
  const ofOther = await liveMarkups(world.settings, other.browser, LIVE);
  const own = await liveMarkups(world.settings, browser, LIVE);
  await Promise.all([ofOther.next(), own.next()]);

  const { admins } = (await browser.json('GET', '/settings/people')).body.data;
  const { id } = admins.find((admin: { email: string }) => admin.email !== email);
  await browser.json('DELETE', `/settings/people/${id}`);
  await ended(ofOther);
  expect((await other.browser.html(LIVE)).status).toBe(204);

  await browser.json('POST', '/settings/sign-out');
  await ended(own);
});

it('is no use of the session: left open alone, it ends of being unused', async () => {
  const { browser, tenantId } = await world.signedIn();
  const other = await world.signedIn({ tenantId });
  await redis.expire(keyOf(browser), 600);
  const { data: endpoint } = (await other.browser.json('POST', '/settings/api/webhooks', ENDPOINT)).body;
  const stream = await liveMarkups(world.settings, browser, LIVE);
  await until(stream, /Nothing has been sent yet/);
  await other.browser.json('POST', `/settings/api/webhooks/${endpoint.id}/test`, {});
  await until(stream, /endpoint\.test/);
  const secondsLeft = await redis.ttl(keyOf(browser));
  expect([secondsLeft > 0, secondsLeft <= 600]).toEqual([true, true]);

  await redis.del(keyOf(browser));
  await ended(stream);
});

it('has five places for a session: the next comes again, and finds one once another is free', async () => {
  const { browser, tenantId } = await world.signedIn();
  const streams = await Promise.all(
    Array.from({ length: 5 }, () => liveMarkups(world.settings, browser, LIVE)),
  );
  await Promise.all(streams.map((stream) => stream.next()));
  const { status, headers, page } = await browser.html(LIVE);
  expect([status, headers['content-type'], page]).toEqual([200, 'text/event-stream', COME_AGAIN]);
  const { browser: other } = await world.signedIn({ tenantId });
  streams.push(await liveMarkups(world.settings, other, LIVE));
  expect((await streams.at(-1)?.next())?.value).toContain('Nothing has been sent yet');

  await streams.shift()?.return(undefined);
  await eventually(async () => {
    const next = await liveMarkups(world.settings, browser, LIVE);
    expect((await next.next()).value).toContain('Nothing has been sent yet');
    streams.push(next);
  });
  await Promise.all(streams.map((stream) => stream.return(undefined)));
});

it('has a browser come again where nobody can say whether it is signed in', async () => {
  const relay = await startRelay(engines().redisUrl);
  try {
    const on = await world.startSettings({ REDIS_URL: relay.url, REDIS_TIMEOUT_MS: '1000' });
    const { browser: elsewhere } = await world.signedIn();
    const browser = world.browser(on);
    for (const [name, value] of elsewhere.jar) browser.jar.set(name, value);
    await relay.cut();
    const { status, headers, page } = await browser.html(LIVE);
    expect([status, headers['content-type'], page]).toEqual([200, 'text/event-stream', COME_AGAIN]);
  } finally {
    await relay.close();
  }
});
