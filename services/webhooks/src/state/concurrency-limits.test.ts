import fc from 'fast-check';
import { createConcurrencyLimits, type Limits, type Taker } from './concurrency-limits.ts';

const LIMITS: Limits = { total: 100, perTenant: 32, perEndpoint: 8 };
/** An endpoint's id shows its tenant. */
const endpoint = (tenantId: number, nth = 0): Taker => ({ tenantId, endpointId: tenantId * 10 + nth });
const takeAll = (limits: ReturnType<typeof createConcurrencyLimits>, taker: Taker) => {
  let taken = 0;
  while (limits.take(taker)) taken += 1;
  return taken;
};

describe('concurrency limits', () => {
  it('give an endpoint all of its own while it is alone, and less the more there are', () => {
    const limits = createConcurrencyLimits(LIMITS);
    const taken = [0, 1, 2, 3, 4].map((nth) => takeAll(limits, endpoint(1, nth)));
    expect(taken).toEqual([8, 8, 6, 4, 2]);
  });

  it('say beforehand how many more an endpoint and a tenant will be given', () => {
    const limits = createConcurrencyLimits(LIMITS);
    for (const taker of [
      endpoint(1),
      endpoint(1, 1),
      endpoint(1, 2),
      endpoint(1, 3),
      endpoint(2),
      endpoint(3),
    ]) {
      const left = limits.leftForEndpoint(taker);
      expect(takeAll(limits, taker)).toBe(left);
    }
    const alone = createConcurrencyLimits({ ...LIMITS, perEndpoint: LIMITS.total });
    expect(alone.leftForTenant(1)).toBe(LIMITS.perTenant);
    for (let nth = 0; nth < 90; nth += 1) alone.take(endpoint(nth + 10));
    const left = alone.leftForTenant(1);
    expect(left).toBe(4);
    for (let nth = 0; nth < left; nth += 1) expect(alone.take(endpoint(1, nth))).toBe(true);
    expect(alone.take(endpoint(1, left))).toBe(false);
  });

  it('let another take what one gives back', () => {
    const limits = createConcurrencyLimits(LIMITS);
    expect(takeAll(limits, endpoint(1))).toBe(8);
    limits.giveBack(endpoint(1));
    expect(takeAll(limits, endpoint(1))).toBe(1);
    for (let count = 0; count < 8; count += 1) limits.giveBack(endpoint(1));
    expect(limits.free()).toBe(LIMITS.total);
    expect([...limits.endpoints()]).toEqual([]);
    expect(limits.ofTenant(1)).toBe(0);
  });

  it('leave something for a tenant and for an endpoint that had none, whatever the others take and give back', () => {
    const step = fc.record({ tenantId: fc.nat(4), nth: fc.nat(3), gives: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        const limits = createConcurrencyLimits(LIMITS);
        for (const { tenantId, nth, gives } of steps) {
          const taker = endpoint(tenantId, nth);
          if (!gives) limits.take(taker);
          else if (limits.ofEndpoint(taker.endpointId) > 0) limits.giveBack(taker);
        }
        expect(limits.take(endpoint(0, 9))).toBe(true);
        expect(limits.take(endpoint(9))).toBe(true);
      }),
    );
  });
});
