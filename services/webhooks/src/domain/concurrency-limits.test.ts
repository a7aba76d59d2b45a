import fc from 'fast-check';
import { createConcurrencyLimits, type Shares, type Taker } from './concurrency-limits.ts';

const SHARES: Shares = { total: 100, perTenant: 32, perEndpoint: 8 };
/** An endpoint's id tells its tenant. */
const endpoint = (tenantId: number, nth = 0): Taker => ({ tenantId, endpointId: tenantId * 10 + nth });
const takeAll = (limits: ReturnType<typeof createConcurrencyLimits>, taker: Taker) => {
  let taken = 0;
  while (limits.take(taker)) taken += 1;
  return taken;
};

describe('places that leave room', () => {
  it('are an endpoint’s whole share while it is alone, and less the more there are', () => {
    const limits = createConcurrencyLimits(SHARES, { leavesRoom: true });
    const taken = [0, 1, 2, 3, 4].map((nth) => takeAll(limits, endpoint(1, nth)));
    expect(taken).toEqual([8, 8, 6, 4, 2]);
  });

  it('come back: what one gives back another may take', () => {
    const limits = createConcurrencyLimits(SHARES, { leavesRoom: true });
    expect(takeAll(limits, endpoint(1))).toBe(8);
    limits.giveBack(endpoint(1).endpointId);
    expect(takeAll(limits, endpoint(1))).toBe(1);
    for (let count = 0; count < 8; count += 1) limits.giveBack(endpoint(1).endpointId);
    expect(limits.free()).toBe(SHARES.total);
    expect([...limits.tenants(), ...limits.endpoints().keys()]).toEqual([]);
  });

  it('are there for a tenant and for an endpoint that had none, whatever the others take and give back', () => {
    const step = fc.record({ tenantId: fc.nat(4), nth: fc.nat(3), gives: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        const limits = createConcurrencyLimits(SHARES, { leavesRoom: true });
        for (const { tenantId, nth, gives } of steps) {
          const taker = endpoint(tenantId, nth);
          if (!gives) limits.take(taker);
          else if (limits.ofEndpoint(taker.endpointId) > 0) limits.giveBack(taker.endpointId);
        }
        expect(limits.take(endpoint(0, 9))).toBe(true);
        expect(limits.take(endpoint(9))).toBe(true);
      }),
    );
  });
});

describe('room that leaves none', () => {
  it('is given up to each share, and no further', () => {
    const limits = createConcurrencyLimits(SHARES, { leavesRoom: false });
    expect([0, 1, 2, 3, 4].map((nth) => takeAll(limits, endpoint(1, nth)))).toEqual([8, 8, 8, 8, 0]);
    for (const tenantId of [2, 3, 4])
      for (const nth of [0, 1, 2, 3]) takeAll(limits, endpoint(tenantId, nth));
    expect([1, 2, 3, 4].map(limits.ofTenant)).toEqual([32, 32, 32, 4]);
    expect(limits.free()).toBe(0);
    expect(limits.take(endpoint(5))).toBe(false);
  });
});
