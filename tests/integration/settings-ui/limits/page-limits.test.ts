import { createSharedLimiter } from '@frontdesk/redis';
import { Redis } from 'ioredis';
import { pageLimits } from '../../../../services/settings-ui/src/limits/page-limits.ts';
import { engines, eventually, startReceiver, withinOneWindow } from '../../../support/index.ts';
import type { Browser } from '../inject-browser.ts';
import { type SettingsWorld, startSettingsWorld } from '../settings-world.ts';

let world: SettingsWorld;
let redis: Redis;
beforeAll(async () => {
  world = await startSettingsWorld();
  redis = new Redis(engines().redisUrl);
});
afterAll(async () => {
  redis.disconnect();
  await world.stop();
});

const MINUTE_SECONDS = 60;
const PAGE = '/settings/account';
/** Of an endpoint that there is not: it ends at once. */
const STREAM = '/settings/api/webhooks/1/live';
const [SESSION, TENANT] = [0, 1] as const;

/** Leaves one request of the limit. */
async function useUpBut1(which: 0 | 1, { browser, tenantId }: { browser: Browser; tenantId: number }) {
  const token = browser.jar.get('frontdesk') ?? '';
  const { subject, window } = pageLimits({ tenantId, token }, { session: 300, tenant: 1_200 })[which];
  await createSharedLimiter(redis).take(subject, window, window.limit - 1);
}

it('429 for a session that has asked for too much, as a page and as an envelope; not for its colleagues', async () => {
  const { first, page, json, asset, stream, colleague } = await withinOneWindow(MINUTE_SECONDS, async () => {
    const { browser, tenantId } = await world.signedIn();
    const { browser: other } = await world.signedIn({ tenantId });
    await useUpBut1(SESSION, { browser, tenantId });
    const first = await browser.html(PAGE);
    const [, file = ''] = /href="(\/settings\/assets\/[^"]+\.css)"/.exec(first.page) ?? [];
    return {
      first,
      page: await browser.html(PAGE),
      json: await browser.json('GET', '/settings/people'),
      asset: await browser.html(file),
      stream: await browser.html(STREAM),
      colleague: await other.html(PAGE),
    };
  });
  expect([first.status, page.status, json.status, colleague.status]).toEqual([200, 429, 429, 200]);
  expect(page.page).toContain('Too many requests. Please try again in a minute.');
  expect(json.body).toMatchObject({ success: false, code: 'rate_limited' });
  for (const { headers } of [page, json]) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect([asset.status, stream.status]).toEqual([200, 204]);
});

it('all sessions of a tenant together are limited as well; other tenants are not', async () => {
  const { statuses, neighbour } = await withinOneWindow(MINUTE_SECONDS, async () => {
    const { browser, tenantId } = await world.signedIn();
    const { browser: other } = await world.signedIn({ tenantId });
    const { browser: neighbour } = await world.signedIn();
    await useUpBut1(TENANT, { browser, tenantId });
    const statuses = [(await browser.html(PAGE)).status, (await other.html(PAGE)).status];
    return { statuses, neighbour: (await neighbour.html(PAGE)).status };
  });
  expect(statuses).toEqual([200, 429]);
  expect(neighbour).toBe(200);
});

it('429 for an expensive page while four are being made for the tenant', async () => {
  const hanging = await startReceiver();
  const gone = Promise.withResolvers<void>();
  hanging.respondWith(async () => {
    await gone.promise;
    return { status: 500 };
  });
  const on = await world.startSettings({ SCHEDULING_INTERNAL_URL: hanging.url });
  const { browser, tenantId } = await world.signedIn({ on });
  const neighbour = await world.signedIn({ on });
  // Each asks for several things; once for the statistics of scheduling.
  const asked = () => hanging.requests.filter(({ path }) => path.includes('/statistics/')).length;
  const pages = Array.from({ length: 4 }, () => browser.html('/settings/statistics'));
  await eventually(() => expect(asked()).toBe(4));

  const refused = await browser.html('/settings/calendar');
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
  expect((await browser.html(PAGE)).status).toBe(200);
  const theirs = neighbour.browser.html('/settings/statistics');
  await eventually(() => expect(asked()).toBe(5));

  gone.resolve();
  expect((await Promise.all([...pages, theirs])).map(({ status }) => status)).toEqual(Array(5).fill(200));
  expect((await (await world.signedIn({ tenantId, on })).browser.html('/settings/statistics')).status).toBe(
    200,
  );
  await hanging.close();
});

it('of a tenant eight requests are worked on at once; others wait, and another tenant’s don’t', async () => {
  const hanging = await startReceiver();
  const gone = Promise.withResolvers<void>();
  hanging.respondWith(async () => {
    await gone.promise;
    return { status: 500 };
  });
  // Each service is asked less than a tenant may ask it at once.
  const on = await world.startSettings({
    CRM_INTERNAL_URL: hanging.url,
    SCHEDULING_INTERNAL_URL: hanging.url,
    CALLS_INTERNAL_URL: hanging.url,
  });
  const { browser } = await world.signedIn({ on });
  const neighbour = await world.signedIn({ on });
  const asked = (text: string) => hanging.requests.filter(({ path }) => path.includes(text)).length;
  const get = (path: string) => Array.from({ length: 4 }, () => browser.json('GET', path));
  const pages = [...get('/settings/customers/1'), ...get('/settings/business/services')];
  await eventually(() => expect([asked('/customers'), asked('/services')]).toEqual([4, 4]));

  const call = browser.json('GET', '/settings/calls/1');
  const theirs = neighbour.browser.json('GET', '/settings/calls/1');
  await eventually(() => expect(asked('/calls')).toBe(1));
  expect((await neighbour.browser.html(PAGE)).status).toBe(200);
  expect(asked('/calls')).toBe(1);
  gone.resolve();
  await Promise.all([...pages, call, theirs]);
  expect(asked('/calls')).toBe(2);
  await hanging.close();
});
