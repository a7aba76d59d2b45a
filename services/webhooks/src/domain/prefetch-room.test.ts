import type { Shares, Taker } from './concurrency-limits.ts';
import { createPrefetchRoom, type HeldBody } from './prefetch-room.ts';

/** As a process has them by default: room for 8,000 claimed ones, of a tenant 1,280, of an endpoint 500; for lent ones 20,000, 6,400 and 2,000. */
const PLACES: Shares = { total: 400, perTenant: 64, perEndpoint: 20 };
const MIB = 1024 * 1024;
const EMPTY: HeldBody = { bytes: 0, holders: 0 };
const endpoint = (tenantId: number, nth = 0): Taker => ({ tenantId, endpointId: tenantId * 10 + nth });

describe('room for what is prefetched', () => {
  let slowEndpoints: Set<number>;
  let slowTenants: Set<number>;
  let overlentTenants: Set<number>;
  let room: ReturnType<typeof createPrefetchRoom>;
  beforeEach(() => {
    slowEndpoints = new Set();
    slowTenants = new Set();
    overlentTenants = new Set();
    room = createPrefetchRoom(PLACES, {
      endpoints: () => slowEndpoints,
      isEndpoint: (id) => slowEndpoints.has(id),
      isTenant: (id) => slowTenants.has(id),
      hasKeptWaiting: ({ tenantId }) => overlentTenants.has(tenantId),
    });
  });
  const takeAll = (taker: Taker, how: 'take' | 'lend' = 'take', bytes = 0) => {
    let taken = 0;
    while (room[how](taker, { bytes, holders: 0 })) taken += 1;
    return taken;
  };
  const giveBack = (taker: Taker, count: number, { bytes = 0, isLent = false } = {}) => {
    for (let nth = 0; nth < count; nth += 1) room.giveBack(taker, { body: { bytes, holders: 1 }, isLent });
  };

  it('is many times the places, and more is lent than claimed', () => {
    expect([0, 1, 2, 3].map((nth) => takeAll(endpoint(1, nth)))).toEqual([500, 500, 280, 0]);
    expect(takeAll(endpoint(2), 'lend')).toBe(2_000);
  });

  it('that is lent leaves a tenant its claims, and what is claimed leaves what may be lent', () => {
    for (const nth of [0, 1, 2, 3, 4]) takeAll(endpoint(1, nth), 'lend');
    expect(room.forClaim().tenants.has(1)).toBe(false);
    expect(takeAll(endpoint(1, 5))).toBe(500);
    takeAll(endpoint(2));
    expect(takeAll(endpoint(2, 1), 'lend')).toBe(2_000);
  });

  it('is lent so that other endpoints and other tenants find some', () => {
    expect([0, 1, 2, 3].map((nth) => takeAll(endpoint(1, nth), 'lend'))).toEqual([2_000, 1_467, 978, 652]);
    for (const tenantId of [2, 3, 4, 5])
      for (const nth of [0, 1, 2, 3]) takeAll(endpoint(tenantId, nth), 'lend');
    expect(takeAll(endpoint(6), 'lend')).toBeGreaterThan(100);
  });

  it('is neither lent to an endpoint nor claimed for it once it has had to be refused a loan, until half is free', () => {
    takeAll(endpoint(1), 'lend');
    expect(room.forClaim().endpoints.get(endpoint(1).endpointId)).toBe(0);
    giveBack(endpoint(1), 999, { isLent: true });
    expect(room.refill()).toBe(false);
    expect(room.lend(endpoint(1), EMPTY)).toBe(false);
    giveBack(endpoint(1), 1, { isLent: true });
    expect(room.refill()).toBe(true);
    expect(room.forClaim().endpoints.has(endpoint(1).endpointId)).toBe(false);
    expect(room.lend(endpoint(1), EMPTY)).toBe(true);
  });

  it('is lent no more than is claimed to who has lately kept some of it waiting', () => {
    overlentTenants.add(1);
    expect([0, 1, 2, 3].map((nth) => takeAll(endpoint(1, nth), 'lend'))).toEqual([500, 500, 280, 0]);
    expect(takeAll(endpoint(2), 'lend')).toBe(2_000);
  });

  it('of a slow endpoint is its places, and the rest of its tenant’s is for the others', () => {
    slowEndpoints.add(endpoint(1).endpointId);
    expect(takeAll(endpoint(1), 'lend')).toBe(20);
    expect(takeAll(endpoint(1))).toBe(0);
    expect(room.forClaim().endpoints.get(endpoint(1).endpointId)).toBe(0);
    expect(takeAll(endpoint(1, 1), 'lend')).toBe(2_000);
  });

  it('of a slow tenant is its places, shared so that another of its endpoints finds some, lent or claimed', () => {
    slowTenants.add(1);
    expect([0, 1, 2].map((nth) => takeAll(endpoint(1, nth)))).toEqual([20, 15, 10]);
    expect(room.lend(endpoint(1, 3), EMPTY)).toBe(true);
    expect(room.take(endpoint(1, 4), EMPTY)).toBe(true);
    expect(takeAll(endpoint(2), 'lend')).toBe(2_000);
  });

  it('that a slow tenant’s endpoint had before it was slow leaves nothing to be claimed until it is worked off', () => {
    takeAll(endpoint(1));
    takeAll(endpoint(1, 1));
    slowTenants.add(1);
    expect(room.lend(endpoint(1, 2), EMPTY)).toBe(false);
    expect(room.forClaim().tenants.get(1)).toBe(0);
    giveBack(endpoint(1), 490);
    giveBack(endpoint(1, 1), 490);
    expect(room.refill()).toBe(true);
    expect(room.forClaim().tenants.get(1)).toBe(44);
    expect(room.lend(endpoint(1, 2), EMPTY)).toBe(true);
  });

  it('of a tenant with large bodies ends where it has as many bytes as are left, and others find room beside it', () => {
    expect(takeAll(endpoint(1), 'lend', 2 * MIB)).toBe(16);
    expect(takeAll(endpoint(1, 1), 'lend', 2 * MIB)).toBe(0);
    expect(room.forClaim().tenants.get(1)).toBe(0);
    expect(room.free()).toBeGreaterThan(0);
    expect(takeAll(endpoint(2), 'lend', 1_000)).toBe(2_000);
    expect(takeAll(endpoint(3), 'take', 1_000)).toBe(500);
    giveBack(endpoint(1), 1, { bytes: 2 * MIB, isLent: true });
    expect(room.refill()).toBe(true);
    expect(room.forClaim().tenants.has(1)).toBe(false);
  });

  it('takes a body once for all that hold it, until the last gives it back', () => {
    const body = { bytes: 40 * MIB, holders: 0 };
    const others = { bytes: 30 * MIB, holders: 0 };
    expect([0, 1, 2].map((nth) => room.lend(endpoint(1, nth), body))).toEqual([true, false, false]);
    room.giveBack(endpoint(1), { body, isLent: true });
    expect([0, 1].map((nth) => room.lend(endpoint(2, nth), others))).toEqual([true, true]);
    expect(others.holders).toBe(2);
    room.giveBack(endpoint(2), { body: others, isLent: true });
    expect(room.lend(endpoint(3), body)).toBe(true);
    expect(room.lend(endpoint(2, 2), others)).toBe(false);
    room.giveBack(endpoint(3), { body, isLent: true });
    room.giveBack(endpoint(2, 1), { body: others, isLent: true });
    expect(takeAll(endpoint(4), 'lend', 2 * MIB)).toBe(16);
  });

  it('is there for one delivery of each tenant, however large, until twice the bytes are taken', () => {
    const taken = [1, 2, 3, 4, 5, 6].map((tenantId) => takeAll(endpoint(tenantId), 'take', 30 * MIB));
    expect(taken).toEqual([2, 1, 1, 1, 0, 0]);
    expect(room.free()).toBe(0);
  });

  it('of an endpoint that a claim brought all that it might is full, until half of it is free', () => {
    const claimed = Array.from({ length: 500 }, () => ({
      endpoint_id: endpoint(1).endpointId,
      tenant_id: 1,
    }));
    const roomThen = room.forClaim();
    takeAll(endpoint(1));
    room.noteClaimed(roomThen, claimed);
    giveBack(endpoint(1), 249);
    expect(room.refill()).toBe(false);
    expect(room.forClaim().endpoints.get(endpoint(1).endpointId)).toBe(0);
    giveBack(endpoint(1), 1);
    expect(room.refill()).toBe(true);
    expect(room.forClaim().endpoints.get(endpoint(1).endpointId)).toBe(250);
  });
});
