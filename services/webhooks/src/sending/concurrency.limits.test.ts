import fc from 'fast-check';
import { createConcurrencyLimits, type EndpointOfTenant, type Limits } from './concurrency.limits.ts';

const LIMITS: Limits = { total: 100, perTenant: 32, perEndpoint: 8 };
const MIB = 1024 * 1024;

/** An endpoint's id shows its tenant. */
const endpoint = (tenantId: number, nth = 0): EndpointOfTenant => ({
  tenantId,
  endpointId: tenantId * 10 + nth,
});
type ConcurrencyLimits = ReturnType<typeof createConcurrencyLimits>;

/** How many deliveries a claim may bring of the endpoint. */
function leftFor(limits: ConcurrencyLimits, { tenantId, endpointId }: EndpointOfTenant): number {
  const { perTenant, perEndpoint, tenants, endpoints } = limits.forClaim();
  const ofTenant = tenants.get(tenantId) ?? { all: perTenant, perEndpoint };
  return Math.min(ofTenant.all, endpoints.get(endpointId) ?? ofTenant.perEndpoint, limits.free());
}
/** One by one, as claims would that are made after each. */
function takeAll(limits: ConcurrencyLimits, of: EndpointOfTenant, bytes = 0): number {
  let taken = 0;
  for (; leftFor(limits, of) > 0; taken += 1) limits.take(of, bytes);
  return taken;
}

describe('concurrency limits', () => {
  it('give an endpoint all of its own while it is alone, and less the more there are', () => {
    const limits = createConcurrencyLimits(LIMITS);
    const taken = [0, 1, 2, 3, 4].map((nth) => takeAll(limits, endpoint(1, nth)));
    expect(taken).toEqual([8, 8, 6, 4, 2]);
  });

  it('say beforehand how many more an endpoint and a tenant will be given', () => {
    const limits = createConcurrencyLimits(LIMITS);
    for (const taker of [endpoint(1), endpoint(1, 1), endpoint(1, 2), endpoint(2), endpoint(3)]) {
      const left = leftFor(limits, taker);
      expect(takeAll(limits, taker)).toBe(left);
    }
    expect(limits.forClaim().tenants.get(1)?.all).toBeLessThan(LIMITS.perTenant);
  });

  it('let another take what one gives back', () => {
    const limits = createConcurrencyLimits(LIMITS);
    expect(takeAll(limits, endpoint(1))).toBe(8);
    limits.giveBack(endpoint(1), 0);
    expect(takeAll(limits, endpoint(1))).toBe(1);
    for (let count = 0; count < 8; count += 1) limits.giveBack(endpoint(1), 0);
    expect(limits.free()).toBe(LIMITS.total);
    const { tenants, endpoints } = limits.forClaim();
    expect([tenants.size, endpoints.size]).toEqual([0, 0]);
  });

  it('give a tenant no more bytes than they leave free, but always one delivery, and nothing beyond the most', () => {
    const limits = createConcurrencyLimits(LIMITS);
    expect(takeAll(limits, endpoint(1), 4 * MIB)).toBe(8);
    expect(takeAll(limits, endpoint(2), 100 * MIB)).toBe(1);
    expect(takeAll(limits, endpoint(3))).toBe(0);
    limits.giveBack(endpoint(2), 100 * MIB);
    expect(takeAll(limits, endpoint(3))).toBe(8);
  });

  it('leave something for a tenant and for an endpoint that had none, whatever the others take and give back', () => {
    const step = fc.record({ tenantId: fc.nat(4), nth: fc.nat(3), gives: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        const limits = createConcurrencyLimits(LIMITS);
        for (const { tenantId, nth, gives } of steps) {
          const of = endpoint(tenantId, nth);
          if (!gives) {
            if (leftFor(limits, of) > 0) limits.take(of, 0);
          } else if (limits.forClaim().endpoints.has(of.endpointId)) limits.giveBack(of, 0);
        }
        expect(leftFor(limits, endpoint(0, 9))).toBeGreaterThan(0);
        expect(leftFor(limits, endpoint(9))).toBeGreaterThan(0);
      }),
    );
  });
});
