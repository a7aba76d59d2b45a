import { randomInt } from 'node:crypto';
import { createSharedLimiter } from '@frontdesk/redis';
import { Redis } from 'ioredis';
import { engines, withinOneWindow } from '../../../support/index.ts';
import { PASSWORD, type SettingsWorld, startSettingsWorld } from '../settings-world.ts';

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

const inOneWindow = <Result>(test: () => Promise<Result>) => withinOneWindow(900, test);
const VOID = 'x'.repeat(43);
const newAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;

const linkOf = async () => {
  const { tenantId, email } = await world.newAdmin();
  const path = `/internal/tenants/${tenantId}/admins/reset-link`;
  const made = await world.asOperator('POST', path, { email });
  return new URL(made.body.data.url).searchParams.get('token') ?? '';
};

it.each(['/settings/reset', '/settings/invitation'])(
  '429 after sixty void links from one address at %s, as a page and as an envelope; not elsewhere',
  async (path) => {
    const { statuses, page, form, json, elsewhere } = await inOneWindow(async () => {
      const address = newAddress();
      const browser = world.browser(undefined, address);
      const statuses: number[] = [];
      for (let times = 0; times < 60; times += 1)
        statuses.push(
          times % 2 === 0
            ? (await browser.html(`${path}?token=${VOID}`)).status
            : (await browser.form(path, { token: VOID, new_password: PASSWORD })).status,
        );
      return {
        statuses,
        page: await browser.html(`${path}?token=${VOID}`),
        form: await browser.form(path, { token: VOID, new_password: PASSWORD }),
        json: await browser.json('GET', `${path}?token=${VOID}`),
        elsewhere: await world.browser().html(`${path}?token=${VOID}`),
      };
    });
    expect(statuses).toEqual(Array(60).fill(422));
    expect([page.status, form.status, json.status, elsewhere.status]).toEqual([429, 429, 429, 422]);
    for (const { page: text } of [page, form])
      expect(text).toMatch(/Too many attempts\. Please try again in (a minute|\d+ minutes)\./);
    expect(json.body).toMatchObject({ success: false, code: 'rate_limited' });
    for (const { headers } of [page, form, json]) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  },
);

it.each(['/settings/reset', '/settings/invitation'])(
  '429 also for void links at %s whose password could not be taken anyway; the page says first that the link is void',
  async (path) => {
    const { pages, last } = await inOneWindow(async () => {
      const browser = world.browser(undefined, newAddress());
      const send = () => browser.form(path, { token: VOID, new_password: 'short' });
      const pages = [];
      for (let times = 0; times < 60; times += 1) pages.push(await send());
      return { pages, last: await send() };
    });
    expect(pages.map(({ status }) => status)).toEqual(Array(60).fill(422));
    expect(pages[0]?.page).toMatch(/has been used or (revoked, or )?has expired/);
    expect(last.status).toBe(429);
  },
);

it('a good link uses up nothing of the void ones by a password that is refused', async () => {
  const statuses = await inOneWindow(async () => {
    const browser = world.browser(undefined, newAddress());
    const token = await linkOf();
    const seen: number[] = [];
    for (let times = 0; times < 62; times += 1) {
      const new_password = times % 2 === 0 ? 'short' : 'password12';
      const { status, page } = await browser.form('/settings/reset', { token, new_password });
      expect(page).toContain(`value="${token}"`);
      seen.push(status);
    }
    return seen;
  });
  expect(statuses).toEqual(Array(62).fill(422));
});

it('good links are limited far more loosely, and use up nothing of the void ones', async () => {
  const { opened, set } = await inOneWindow(async () => {
    const browser = world.browser(undefined, newAddress());
    const token = await linkOf();
    const opened: number[] = [];
    for (let times = 0; times < 70; times += 1)
      opened.push((await browser.html(`/settings/reset?token=${token}`)).status);
    return {
      opened,
      set: await browser.form('/settings/reset', { token, new_password: 'four calm walruses' }),
    };
  });
  expect(opened).toEqual(Array(70).fill(200));
  expect(set.status).toBe(303);
});

it('429 also with a good link once three hundred requests came from the address; the form keeps its link', async () => {
  const { page, form } = await inOneWindow(async () => {
    const address = newAddress();
    const token = await linkOf();
    const window = { seconds: 900, limit: 300 };
    await createSharedLimiter(redis).take(`sign-in-link:${address}`, window, 300);
    const browser = world.browser(undefined, address);
    return {
      page: await browser.html(`/settings/reset?token=${token}`),
      form: { token, ...(await browser.form('/settings/reset', { token, new_password: PASSWORD })) },
    };
  });
  expect([page.status, form.status]).toEqual([429, 429]);
  expect(form.page).toContain(`value="${form.token}"`);
});
