import { rateCounter } from '@frontdesk/redis';
import { Redis } from 'ioredis';
import { PLAN_WINDOWS, subjectOf } from '../../../services/gateway/src/domain/rate-limit.ts';
import { engines } from '../../support/index.ts';
import {
  type Answer,
  bearer,
  type Gateway,
  type GatewayWorld,
  get,
  operator,
  startGatewayWorld,
  withinOneMinute,
} from './gateway-world.ts';

const PATH = '/api/v1/customers';

let world: GatewayWorld;
let gateways: [Gateway, Gateway];

beforeAll(async () => {
  world = await startGatewayWorld();
  gateways = await Promise.all([world.startGateway(), world.startGateway()]);
});
afterAll(() => world.stop());

/** Requests in parallel, by turns over both gateways. */
const together = (count: number, key: string) =>
  Promise.all(Array.from({ length: count }, (_, i) => get(gateways[i % 2] as Gateway, PATH, bearer(key))));
const countOf = (answers: Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length;
const remainingOf = (answer: Answer) => Number(answer.headers.get('x-ratelimit-remaining'));

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
    const redis = new Redis(engines().redisUrl);
    const [, day] = PLAN_WINDOWS.starter;
    await redis.set(rateCounter(subjectOf(tenantId), day, Date.now()), 5_000, 'EX', 60);
    redis.disconnect();
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
    const redis = new Redis(engines().redisUrl);
    await redis.script('FLUSH');
    redis.disconnect();
    const answers = await together(10, key);
    expect(answers.map(remainingOf).toSorted((a, b) => a - b)).toEqual([
      490, 491, 492, 493, 494, 495, 496, 497, 498, 499,
    ]);
  }));
