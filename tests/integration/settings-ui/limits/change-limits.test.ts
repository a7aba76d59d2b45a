import { PLAN_LIMITS } from '@frontdesk/contracts';
import { createSharedLimiter } from '@frontdesk/redis';
import { Redis } from 'ioredis';
import { changesOfDay } from '../../../../services/settings-ui/src/changes/change-limits.ts';
import { engines, withinOneWindow } from '../../../support/index.ts';
import { startCrm } from '../../crm/crm-world.ts';
import { operator } from '../../gateway/gateway-world.ts';
import { add, CUSTOMERS } from '../customers-pages.ts';
import { LOCAL, type SettingsWorld, startSettingsWorld } from '../settings-world.ts';

let world: SettingsWorld;
let crm: Awaited<ReturnType<typeof startCrm>>;
let redis: Redis;
beforeAll(async () => {
  crm = await startCrm();
  const CRM_INTERNAL_URL = await crm.service.internal.listen(LOCAL);
  world = await startSettingsWorld({ beside: async () => ({ CRM_INTERNAL_URL }) });
  redis = new Redis(engines().redisUrl);
});
afterAll(async () => {
  redis.disconnect();
  await world.stop();
  await crm.service.internal.close();
  await crm.stop();
});

const DAY_SECONDS = 86_400;
const inOneDay = <Result>(test: () => Promise<Result>) => withinOneWindow(DAY_SECONDS, test);

async function newBusiness(plan: keyof typeof PLAN_LIMITS) {
  const tenantId = await world.gatewayWorld.newTenant(world.gateway, { plan });
  crm.newTenant({ id: tenantId });
  return world.signedIn({ tenantId });
}

/** Uses up what the plan allows a day, but for so many. */
async function useUpBut(left: number, tenantId: number, perDay: number) {
  const { subject, window } = changesOfDay(tenantId, perDay);
  await createSharedLimiter(redis).take(subject, window, perDay - left);
}

it.each(['starter', 'pro'] as const)(
  '429 for changes beyond as many a day as the plan allows API requests (%s); what was typed is kept, and reads go on',
  async (plan) => {
    const { perDay } = PLAN_LIMITS[plan];
    const { ids, form, json, list, neighbour } = await inOneDay(async () => {
      const { browser, tenantId } = await newBusiness(plan);
      await useUpBut(1, tenantId, perDay);
      const id = await add(browser, { name: 'Ada One' });
      const fields = { name: 'Ada Two', phone: '+49 30 9018201', notes: 'Typed long' };
      return {
        ids: [id],
        form: await browser.form(`${CUSTOMERS}/new`, { segment: 'lead', ...fields }),
        json: await browser.json('POST', `${CUSTOMERS}/${id}`, { name: 'Ada Three' }),
        list: await browser.json('GET', CUSTOMERS),
        neighbour: await add((await newBusiness('starter')).browser),
      };
    });
    expect([ids.length, form.status, json.status]).toEqual([1, 429, 429]);
    const allowed = perDay.toLocaleString('en-US');
    expect(form.page).toContain(
      `has made the ${allowed} changes that its plan allows on these pages in a day`,
    );
    expect(form.page).toContain('value="Ada Two"');
    expect(form.page).toContain('Typed long');
    expect(json.body).toMatchObject({ success: false, code: 'rate_limited' });
    for (const { headers } of [form, json]) {
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(DAY_SECONDS);
    }
    expect(list.body.data).toMatchObject([{ name: 'Ada One' }]);
    expect(neighbour).toBeGreaterThan(0);
  },
);

it('is a count apart from the API’s, which it uses nothing of; signing out is no change', async () => {
  const { used, out } = await inOneDay(async () => {
    const { browser, tenantId } = await newBusiness('starter');
    await useUpBut(0, tenantId, PLAN_LIMITS.starter.perDay);
    expect(
      (await browser.json('POST', `${CUSTOMERS}/new`, { name: 'A', phone: '+49309018202' })).status,
    ).toBe(429);
    const usage = await world.gatewayWorld.internal(
      world.gateway,
      operator,
      'GET',
      `/internal/tenants/${tenantId}/usage`,
    );
    return { used: usage.body.data, out: await browser.json('POST', '/settings/sign-out', {}) };
  });
  expect(JSON.stringify(used)).toContain('"used":0');
  expect(out.status).toBe(200);
});

it('refuses nothing that only takes access away, however many changes the day has had', async () => {
  const answers = await inOneDay(async () => {
    const { browser, tenantId } = await newBusiness('starter');
    const made = async (path: string, fields: object) => {
      const { status, body } = await browser.json('POST', path, fields);
      expect(status).toBe(201);
      return body.data.id as number;
    };
    const [revoked, deleted] = [
      await made('/settings/api/keys', { name: 'Leaked' }),
      await made('/settings/api/keys', { name: 'Old' }),
    ];
    const invited = await made('/settings/people/invitations', { email: `left-${tenantId}@salon.example` });
    // All that these three have left.
    await useUpBut(3, tenantId, PLAN_LIMITS.starter.perDay);
    const more = await browser.json('POST', '/settings/api/keys', { name: 'One more' });
    const rolled = await browser.json('POST', `/settings/api/keys/${deleted}/roll`, { hours: 1 });
    return [
      more,
      rolled,
      await browser.form(`/settings/api/keys/${revoked}/revoke`, {}),
      await browser.json('DELETE', `/settings/api/keys/${revoked}`),
      await browser.json('POST', `/settings/api/keys/${deleted}/revoke`, {}),
      await browser.json('POST', `/settings/people/invitations/${invited}/revoke`, {}),
    ];
  });
  expect(answers.map(({ status }) => status)).toEqual([429, 429, 303, 200, 200, 200]);
});
