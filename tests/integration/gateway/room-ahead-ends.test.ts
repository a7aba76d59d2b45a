import { createSharedLimiter, type RateWindow, rateCounter } from '@frontdesk/redis';
import { Redis } from 'ioredis';
import { PLAN_WINDOWS, subjectOf } from '../../../services/gateway/src/domain/rate-limit.ts';
import { createLimiter } from '../../../services/gateway/src/use-cases/limit-request.ts';
import { engines, eventually, logger, uniqueTenantId } from '../../support/index.ts';
import { bearer, type GatewayWorld, get, startGatewayWorld, withinOneMinute } from './gateway-world.ts';

// A period in which even a slow machine asks often enough to get room ahead.
jest.mock('../../../libs/redis/src/grants.ts', () => ({
  AHEAD_MS: 5_000,
  AHEAD_RETURN_MS: 500,
  AHEAD_TOLD_MS: 5_500,
}));

const redis = new Redis(engines().redisUrl, { lazyConnect: true });
beforeAll(() => redis.connect());
afterAll(() => redis.disconnect());

it('room of a gateway that is gone is waited for no longer than it could be held', async () => {
  const limiter = createLimiter({
    shared: createSharedLimiter(redis),
    ...{ timeoutMs: 600_000, replicas: 2, logger },
  });
  const subject = `ahead:${uniqueTenantId()}`;
  const windows: RateWindow[] = [{ name: 'endless', seconds: 10 ** 10, limit: 20 }];
  // Were Redis to tell of it for ever, the wait would be over all the same.
  await redis.set(`rate:{${subject}}:endless:ahead`, 8);
  const decisions = await Promise.all(Array.from({ length: 25 }, () => limiter.take(subject, windows)));
  expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(20);
  await redis.del(`rate:{${subject}}:endless:ahead`);
  expect((await limiter.take(subject, windows)).allowed).toBe(false);
});

describe('a gateway', () => {
  let world: GatewayWorld;
  beforeAll(async () => {
    world = await startGatewayWorld();
  });
  afterAll(() => world.stop());

  const [minute] = PLAN_WINDOWS.enterprise;
  const usedOf = async (subject: string) => Number(await redis.get(rateCounter(subject, minute, Date.now())));

  /** A tenant who asks for as long as it takes to get room ahead. @returns how often */
  async function askUntilAhead() {
    const gateway = await world.startGateway({}, { without: [] });
    const { tenantId, key } = await world.newCaller(gateway, { plan: 'enterprise' });
    const subject = subjectOf(tenantId);
    const statuses: number[] = [];
    // One by one, as a period of them must leave room in the minute.
    await eventually(async () => {
      statuses.push((await get(gateway, '/api/v1/customers', bearer(key))).status);
      expect(await usedOf(subject)).toBeGreaterThan(statuses.length);
    });
    const asked = statuses.length;
    expect(statuses).toEqual(Array(asked).fill(200));
    return { gateway, subject, asked };
  }

  it('holds room for those who ask often, and gives back what they don’t use', () =>
    withinOneMinute(async () => {
      const { subject, asked } = await askUntilAhead();
      await eventually(async () => expect(await usedOf(subject)).toBe(asked));
    }));

  it('that stops gives back what it holds', () =>
    withinOneMinute(async () => {
      const { gateway, subject, asked } = await askUntilAhead();
      await gateway.stop();
      expect(await usedOf(subject)).toBe(asked);
    }));
});
