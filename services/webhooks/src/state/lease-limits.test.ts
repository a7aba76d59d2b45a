import type { Limits, Taker } from './concurrency-limits.ts';
import { createLeaseLimits, type LeaseLimits } from './lease-limits.ts';

/** As a process has them by default: leases for 20,000, of a tenant 6,400, of an endpoint 2,000. */
const IN_FLIGHT: Limits = { total: 400, perTenant: 64, perEndpoint: 20 };
const MIB = 1024 * 1024;
const endpoint = (tenantId: number, nth = 0): Taker => ({ tenantId, endpointId: tenantId * 10 + nth });
const everywhere = () => true;

describe('what a process may lease', () => {
  let leases: LeaseLimits;
  beforeEach(() => {
    leases = createLeaseLimits(IN_FLIGHT);
  });
  const takeAll = (taker: Taker, how: 'claim' | 'preLease' = 'claim', bytes = 0) => {
    let taken = 0;
    while (leases[how](taker, { bytes, holders: 0 })) taken += 1;
    return taken;
  };
  const giveBack = (taker: Taker, count = 1, bytes = 0) => {
    let isWorthAClaim = false;
    for (let nth = 0; nth < count; nth += 1)
      isWorthAClaim = leases.giveBack(taker, { bytes, holders: 1 }) || isWorthAClaim;
    return isWorthAClaim;
  };
  const claimOf = (taker: Taker) => {
    const { perEndpoint, endpoints, tenants } = leases.forClaim();
    return Math.min(
      endpoints.get(taker.endpointId) ?? perEndpoint,
      tenants.get(taker.tenantId) ?? perEndpoint,
    );
  };
  /** A claim that comes to all endpoints and brings so many of one. */
  const claim = (taker: Taker, most: number, isCovered = everywhere) => {
    const limits = leases.forClaim();
    const brought = Array.from({ length: most }, () => taker).filter((one) =>
      leases.claim(one, { bytes: 0, holders: 0 }),
    );
    leases.noteClaimed(limits, brought, isCovered);
    return brought.length;
  };

  it.each(['claim', 'preLease'] as const)(
    'by a %s is many times what may be in flight, and others find some',
    (how) => {
      expect([0, 1, 2, 3].map((nth) => takeAll(endpoint(1, nth), how))).toEqual([2_000, 1_467, 978, 652]);
      for (const tenantId of [2, 3, 4, 5])
        for (const nth of [0, 1, 2, 3]) takeAll(endpoint(tenantId, nth), how);
      expect(takeAll(endpoint(6), how)).toBeGreaterThan(100);
    },
  );

  it('is one: what is claimed leaves less to be pre-leased, and a claim may bring what is left', () => {
    takeAll(endpoint(1));
    giveBack(endpoint(1), 500);
    expect(claimOf(endpoint(1))).toBe(500);
    expect(takeAll(endpoint(1), 'preLease')).toBe(500);
    expect(claimOf(endpoint(1))).toBe(0);
    expect(leases.free()).toBe(18_000);
  });

  describe('of an endpoint with a backlog', () => {
    const nth = endpoint(1);
    beforeEach(() => {
      takeAll(nth, 'preLease');
      giveBack(nth, 2_000);
    });

    it('is claimed alone, until a claim brings less than it might', () => {
      expect(leases.preLease(nth, { bytes: 0, holders: 0 })).toBe(false);
      expect(leases.preLease(endpoint(1, 1), { bytes: 0, holders: 0 })).toBe(true);
      expect(claim(nth, 2_000)).toBe(2_000);
      giveBack(nth, 2_000);
      expect(leases.preLease(nth, { bytes: 0, holders: 0 })).toBe(false);
      expect(claim(nth, 1_999)).toBe(1_999);
      giveBack(nth, 1_999);
      expect(leases.preLease(nth, { bytes: 0, holders: 0 })).toBe(true);
    });

    it.each([
      ['came not as far as that', () => claim(nth, 0, () => false)],
      [
        'began before more was queued',
        () => {
          const limits = leases.forClaim();
          leases.queued(nth);
          leases.noteClaimed(limits, [], everywhere);
        },
      ],
      [
        'might bring nothing of it',
        () => {
          takeAll(nth);
          claim(nth, 0);
          giveBack(nth, 2_000);
        },
      ],
    ])('is not pre-leased again because of a claim that %s', (_case, run) => {
      run();
      expect(leases.preLease(nth, { bytes: 0, holders: 0 })).toBe(false);
    });

    it('is pre-leased again after a claim that brought all, however fast its events come in', () => {
      expect(leases.preLease(nth, { bytes: 0, holders: 0 })).toBe(false);
      const limits = leases.forClaim();
      expect(leases.preLease(nth, { bytes: 0, holders: 0 })).toBe(false);
      leases.noteClaimed(limits, [nth], everywhere);
      expect(leases.preLease(nth, { bytes: 0, holders: 0 })).toBe(true);
    });

    it('makes a claim worth its while once some more may be leased', () => {
      takeAll(nth);
      expect(giveBack(nth, 149)).toBe(false);
      expect(giveBack(nth)).toBe(true);
    });

    it('makes one worth its while where little may be leased, once half of that is free', () => {
      leases = createLeaseLimits({ total: 2, perTenant: 2, perEndpoint: 1 });
      leases.queued(nth);
      const most = takeAll(nth);
      expect(giveBack(nth, Math.ceil(most / 2) - 1)).toBe(false);
      expect(giveBack(nth, 2)).toBe(true);
    });
  });

  it('of a tenant is not claimed by the handful, which each of its endpoints would be given', () => {
    const many = Array.from({ length: 100 }, (_, id) => ({ tenantId: 1, endpointId: 100 + id }));
    const newcomer = { tenantId: 1, endpointId: 99 };
    for (const taker of many) leases.queued(taker);
    while (many.filter((taker) => leases.claim(taker, { bytes: 0, holders: 0 })).length > 0);
    expect(many.slice(0, 20).map((taker) => giveBack(taker))).not.toContain(true);
    expect(claimOf(newcomer)).toBe(1);
    expect(many.map((taker) => giveBack(taker, leases.ofEndpoint(taker.endpointId)))).toContain(true);
    expect(claimOf(newcomer)).toBeGreaterThanOrEqual(150);
  });

  it('makes no claim worth its while where nothing waits', () => {
    takeAll(endpoint(1), 'claim');
    expect(giveBack(endpoint(1), 2_000)).toBe(false);
  });

  describe('of an endpoint that is held back', () => {
    it('is twice what may be in flight, and the rest of its tenant’s is for the others', () => {
      leases.holdBack(endpoint(1), 'slow');
      expect(takeAll(endpoint(1), 'preLease')).toBe(0);
      expect(claimOf(endpoint(1))).toBe(32);
      expect(takeAll(endpoint(1))).toBe(40);
      expect(claimOf(endpoint(1))).toBe(0);
      expect(takeAll(endpoint(1, 1), 'preLease')).toBe(2_000);
      expect(giveBack(endpoint(1))).toBe(true);
    });

    it('is nothing until what it had before is worked off', () => {
      takeAll(endpoint(1));
      leases.holdBack(endpoint(1), 'slow');
      expect(giveBack(endpoint(1), 1_960)).toBe(false);
      expect(claimOf(endpoint(1))).toBe(0);
      expect(giveBack(endpoint(1), 5)).toBe(true);
      expect(claimOf(endpoint(1))).toBe(5);
    });

    it('is shared with the others of its tenant that are held back, each in its turn', () => {
      const many = Array.from({ length: 30 }, (_, id) => ({ tenantId: 1, endpointId: 100 + id }));
      for (const taker of many) leases.holdBack(taker, 'slow');
      const shares = () => {
        const { endpoints } = leases.forClaim();
        return many.map(({ endpointId }) => endpoints.get(endpointId) ?? Number.NaN);
      };
      const [first, second] = [shares(), shares()];
      expect(first.slice(0, 4)).toEqual([20, 20, 12, 6]);
      for (const given of [first, second]) expect(given.reduce((sum, one) => sum + one)).toBe(64);
      // Who had none comes first now.
      expect(second[first.indexOf(0)]).toBe(20);
      for (const [nth, taker] of many.entries()) expect(takeAll(taker)).toBeLessThanOrEqual(20 + nth);
      expect(many.reduce((sum, { endpointId }) => sum + leases.ofEndpoint(endpointId), 0)).toBe(64);
      expect(leases.preLease(endpoint(1, 4), { bytes: 0, holders: 0 })).toBe(true);
    });

    it('is less for each the more of its tenant’s are, and what may be in flight at least', () => {
      for (const [nth, most] of [40, 32, 21, 20, 20].entries()) {
        leases.holdBack(endpoint(1, nth), 'slow');
        expect(takeAll(endpoint(1, nth))).toBeLessThanOrEqual(most);
        for (let other = 0; other <= nth; other += 1)
          giveBack(endpoint(1, other), leases.ofEndpoint(10 + other));
        expect(takeAll(endpoint(1, nth))).toBe(most);
        giveBack(endpoint(1, nth), most);
      }
    });

    it('is what may be in flight where the endpoint fails, until its failures are recorded', () => {
      leases.holdBack(endpoint(1), 'failing');
      expect(takeAll(endpoint(1))).toBe(20);
    });

    it('is as of any other once its backlog is empty', () => {
      leases.holdBack(endpoint(1), 'slow');
      expect(claim(endpoint(1), 32)).toBe(32);
      giveBack(endpoint(1), 32);
      expect(claimOf(endpoint(1))).toBe(32);
      expect(claim(endpoint(1), 31)).toBe(31);
      expect(claimOf(endpoint(1))).toBe(1_969);
    });
  });

  describe('in bytes', () => {
    it('ends for a tenant where it has as many as are left, and others get some beside it', () => {
      expect(takeAll(endpoint(1), 'preLease', 2 * MIB)).toBe(16);
      expect(takeAll(endpoint(1, 1), 'preLease', 2 * MIB)).toBe(0);
      expect(claimOf(endpoint(1))).toBe(0);
      expect(leases.free()).toBeGreaterThan(0);
      expect(takeAll(endpoint(2), 'preLease', 1_000)).toBe(2_000);
      expect(takeAll(endpoint(3), 'claim', 1_000)).toBe(2_000);
      giveBack(endpoint(1), 1, 2 * MIB);
      expect(claimOf(endpoint(1))).toBeGreaterThan(0);
    });

    it('counts a body once for all that hold it, until the last gives it back', () => {
      const body = { bytes: 40 * MIB, holders: 0 };
      const others = { bytes: 30 * MIB, holders: 0 };
      expect([0, 1, 2].map((nth) => leases.claim(endpoint(1, nth), body))).toEqual([true, false, false]);
      leases.giveBack(endpoint(1), body);
      expect([0, 1].map((nth) => leases.claim(endpoint(2, nth), others))).toEqual([true, true]);
      expect(others.holders).toBe(2);
      leases.giveBack(endpoint(2), others);
      expect(leases.claim(endpoint(3), body)).toBe(true);
      expect(leases.claim(endpoint(2, 2), others)).toBe(false);
      leases.giveBack(endpoint(3), body);
      leases.giveBack(endpoint(2, 1), others);
      expect(takeAll(endpoint(4), 'claim', 2 * MIB)).toBe(16);
    });

    it('is there for one delivery of each tenant, however large, until twice the bytes are taken', () => {
      const taken = [1, 2, 3, 4, 5, 6].map((tenantId) => takeAll(endpoint(tenantId), 'claim', 30 * MIB));
      expect(taken).toEqual([2, 1, 1, 1, 0, 0]);
      expect(leases.free()).toBe(0);
      expect(giveBack(endpoint(4), 1, 30 * MIB)).toBe(true);
    });
  });
});
