import { createSharedLimiter } from '@frontdesk/redis';
import { type Cluster, Redis } from 'ioredis';
import { subjectOf, windowsOf } from '../../../../services/gateway/src/limits/rate-limit.rules.ts';
import { engines, eventually } from '../../../support/index.ts';
import { startRedisCluster } from '../../../support/redis-cluster.ts';
import {
  type Answer,
  adminOf,
  bearer,
  type Gateway,
  type GatewayWorld,
  get,
  operator,
  startGatewayWorld,
  withinOneMinute,
} from '../gateway-world.ts';

const PATH = '/api/v1/customers';

/** As the test reaches it, beside the gateways. */
interface TestRedis {
  env: Record<string, string>;
  client: Redis | Cluster;
  nodes: Redis[];
  stop(): Promise<void>;
}

async function oneNode(): Promise<TestRedis> {
  const redis = new Redis(engines().redisUrl);
  return { env: {}, client: redis, nodes: [redis], stop: async () => redis.disconnect() };
}

async function cluster(): Promise<TestRedis> {
  const { url, client, nodes, stop } = await startRedisCluster();
  return { env: { REDIS_URL: url, REDIS_CLUSTER: 'true' }, client, nodes, stop };
}

let world: GatewayWorld;
let own: TestRedis;
let gateways: [Gateway, Gateway];

/** Requests in parallel, by turns over both gateways. */
const together = (count: number, key: string) =>
  Promise.all(Array.from({ length: count }, (_, i) => get(gateways[i % 2] as Gateway, PATH, bearer(key))));
const countOf = (answers: Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length;
const remainingOf = (answer: Answer) => Number(answer.headers.get('x-ratelimit-remaining'));

describe.each([
  { redis: 'one Redis', start: oneNode },
  { redis: 'a Redis Cluster of three nodes', start: cluster },
])('over $redis', ({ start }) => {
  beforeAll(async () => {
    own = await start();
    world = await startGatewayWorld();
    gateways = await Promise.all([world.startGateway(own.env), world.startGateway(own.env)]);
  });
  afterAll(async () => {
    await world.stop();
    await own.stop();
  });

  it('exactly the plan’s requests get through, of 50 in parallel over two gateways', () =>
    withinOneMinute(async () => {
      const { key } = await world.newCaller(gateways[0], { plan: 'starter' });
      const answers = await together(50, key);
      expect([countOf(answers, 200), countOf(answers, 429)]).toEqual([30, 20]);
      const remaining = answers.filter(({ status }) => status === 200).map(remainingOf);
      expect(remaining.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, i) => i));
    }));

  it('all keys of a tenant share one count', () =>
    withinOneMinute(async () => {
      const { tenantId, key } = await world.newCaller(gateways[0], { plan: 'starter' });
      const { key: second } = await world.newKey(gateways[0], tenantId);
      await together(29, key);
      expect((await get(gateways[1], PATH, bearer(second))).status).toBe(200);
      expect((await get(gateways[0], PATH, bearer(second))).status).toBe(429);
    }));

  it('a denied request consumes nothing, of the minute or of the day', () =>
    withinOneMinute(async () => {
      const { tenantId, key } = await world.newCaller(gateways[0], { plan: 'starter' });
      expect(countOf(await together(60, key), 429)).toBe(30);
      await world.internal(gateways[0], operator, 'PATCH', `/internal/tenants/${tenantId}`, { plan: 'pro' });
      const answer = await get(gateways[0], PATH, bearer(key));
      // 30 before and this one; the plan's new limits hold at once.
      expect([answer.status, remainingOf(answer)]).toEqual([200, 69]);
      expect(answer.headers.get('ratelimit')).toMatch(/^"minute";r=69;t=\d+, "day";r=19969;t=\d+$/);
    }));

  it('a day that is used up denies, with the whole day in its headers', () =>
    withinOneMinute(async () => {
      const { tenantId, key } = await world.newCaller(gateways[0], { plan: 'starter' });
      const [, day] = windowsOf('starter');
      await createSharedLimiter(own.client).take(subjectOf(tenantId), day, 5_000);
      const beganMs = Date.now();
      const { status, headers } = await get(gateways[0], PATH, bearer(key));
      expect(status).toBe(429);
      expect([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual(['5000', '0']);
      const midnight = (Math.floor(Date.now() / 86_400_000) + 1) * 86_400;
      expect(headers.get('x-ratelimit-reset')).toBe(String(midnight));
      const retryAfter = Number(headers.get('retry-after'));
      expect(retryAfter).toBeLessThanOrEqual(midnight - Math.floor(beganMs / 1_000));
      expect(retryAfter).toBeGreaterThanOrEqual(midnight - Math.floor(Date.now() / 1_000));
    }));

  it('every authenticated answer names the tighter window, and both in the RateLimit fields', () =>
    withinOneMinute(async () => {
      const { key } = await world.newCaller(gateways[0], { plan: 'starter' });
      const found = await get(gateways[0], PATH, bearer(key));
      const unknown = await get(gateways[0], '/api/v1/unknown', bearer(key));
      const denied = (await together(29, key)).find(({ status }) => status === 429) as Answer;
      const minuteEnd = (Math.floor(Date.now() / 60_000) + 1) * 60;
      const remaining = [found, unknown, denied].map(remainingOf);
      expect(remaining).toEqual([29, 28, 0]);
      for (const { headers } of [found, unknown, denied]) {
        expect(headers.get('x-ratelimit-limit')).toBe('30');
        expect(headers.get('x-ratelimit-reset')).toBe(String(minuteEnd));
        expect(headers.get('ratelimit-policy')).toBe('"minute";q=30;w=60, "day";q=5000;w=86400');
        expect(headers.get('ratelimit')).toMatch(/^"minute";r=\d+;t=\d+, "day";r=\d+;t=\d+$/);
        expect(headers.get('x-ratelimit-scope')).toBeNull();
      }
      expect([unknown.status, denied.status, denied.body.code]).toEqual([404, 429, 'rate_limited']);
      expect(Number(denied.headers.get('retry-after'))).toBeGreaterThan(0);
    }));

  it('a Redis that has forgotten its scripts goes on counting', () =>
    withinOneMinute(async () => {
      const { key } = await world.newCaller(gateways[0]);
      for (const node of own.nodes) await node.script('FLUSH');
      const answers = await together(10, key);
      expect(answers.map(remainingOf).toSorted((a, b) => a - b)).toEqual([
        490, 491, 492, 493, 494, 495, 496, 497, 498, 499,
      ]);
    }));

  it('tenants are counted wherever their counters lie, and so are their requests by hour', async () => {
    const newCaller = () => world.newCaller(gateways[0]);
    let callers: Awaited<ReturnType<typeof newCaller>>[] = [];
    await withinOneMinute(async () => {
      callers = await Promise.all(Array.from({ length: 12 }, newCaller));
      const answers = (await Promise.all(callers.map(({ key }) => together(2, key)))).flat();
      expect(answers.map(({ headers }) => headers.get('x-ratelimit-scope'))).toEqual(Array(24).fill(null));
      for (const { tenantId } of callers) {
        const path = `/internal/tenants/${tenantId}/usage`;
        const { body } = await world.internal(gateways[1], adminOf(tenantId), 'GET', path);
        expect(body.data).toMatchObject({ minute: { used: 2 }, day: { used: 2 } });
      }
    });
    for (const node of own.nodes) expect(await node.dbsize()).toBeGreaterThan(0);
    for (const { tenantId } of callers) {
      const path = `/internal/tenants/${tenantId}/statistics/requests`;
      // Each gateway adds what it alone has counted when it is asked.
      await world.internal(gateways[0], adminOf(tenantId), 'GET', path);
      const { status, body } = await world.internal(gateways[1], adminOf(tenantId), 'GET', path);
      expect([status, body.data.hours.reduce((sum, { allowed }) => sum + allowed, 0)]).toEqual([200, 2]);
    }
  });

  it('a key that is revoked at one gateway is refused by the other', async () => {
    const { tenantId, id, key } = await world.newCaller(gateways[0]);
    expect((await get(gateways[1], PATH, bearer(key))).status).toBe(200);
    const path = `/internal/tenants/${tenantId}/keys/${id}/revoke`;
    await world.internal(gateways[0], adminOf(tenantId), 'POST', path);
    await eventually(async () => expect((await get(gateways[1], PATH, bearer(key))).status).toBe(401));
  });
});
