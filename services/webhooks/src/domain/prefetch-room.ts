import { createConcurrencyLimits, type Shares, type Taker } from './concurrency-limits.ts';

/** Claimed at once, at most. */
export const CLAIM_BATCH = 300;
/** Deliveries that are prefetched for each place. */
const PER_PLACE = { total: 20, perTenant: 20, perEndpoint: 25 };
/** Of the bodies that are prefetched or under way, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/** What a claim may bring: of those that are named so many, of the others `perEndpoint`. */
export interface ClaimRoom {
  perEndpoint: number;
  endpoints: ReadonlyMap<number, number>;
  tenants: ReadonlyMap<number, number>;
}

/** Room for deliveries that this process leases: more than it has places to send from, so that few are looked for one by one. */
export interface PrefetchRoom {
  /** Takes the room for one delivery. False where there is none, by whichever share. */
  take(taker: Taker): boolean;
  /** The same for a delivery that hasn't been claimed; for claims there is more. */
  lend(taker: Taker): boolean;
  giveBack(endpointId: number): void;
  /** What the bodies of a tenant's deliveries take, in bytes; negative as they go. */
  addBytes(tenantId: number, bytes: number): void;
  free(): number;
  ofEndpoint(endpointId: number): number;
  forClaim(): ClaimRoom;
  /** An endpoint of which a claim brought all that it might may have more waiting. */
  noteClaimed(room: ClaimRoom, claimed: readonly { endpoint_id: number }[]): void;
  /** Whether someone who had no more has room again, enough to make a claim worth its while. */
  refill(): boolean;
}

/** Who gets no more room than places: what they have keeps waiting. */
export interface Slow {
  endpoints(): Iterable<number>;
  isEndpoint(endpointId: number): boolean;
  isTenant(tenantId: number): boolean;
}

export function createPrefetchRoom(places: Shares, slow: Slow): PrefetchRoom {
  const shares: Shares = {
    total: places.total * PER_PLACE.total,
    perTenant: places.perTenant * PER_PLACE.perTenant,
    perEndpoint: places.perEndpoint * PER_PLACE.perEndpoint,
  };
  const limits = createConcurrencyLimits(shares, { leavesRoom: false });
  const bytesOf = new Map<number, number>();
  let bytes = 0;
  const full = { tenants: new Set<number>(), endpoints: new Set<number>() };
  /** Of the endpoints that are full. */
  const tenantOf = new Map<number, number>();

  const shareOfTenant = (id: number) => (slow.isTenant(id) ? places.perTenant : shares.perTenant);
  const shareOfEndpoint = ({ tenantId, endpointId }: Taker) => {
    if (slow.isTenant(tenantId)) {
      // As places are shared: none of a slow tenant's endpoints takes all.
      const left = places.perTenant - limits.ofTenant(tenantId);
      return Math.min(places.perEndpoint, Math.ceil(left / 2));
    }
    return slow.isEndpoint(endpointId) ? places.perEndpoint : shares.perEndpoint;
  };
  /** A tenant gets no more bytes than would be left free; one delivery always goes, however large. */
  const hasBytes = (tenantId: number) =>
    limits.ofTenant(tenantId) === 0
      ? bytes < 2 * MAX_BYTES
      : (bytesOf.get(tenantId) ?? 0) < MAX_BYTES - bytes;
  /** What a claim brings of a tenant isn't known before: for that a part of its room is kept free. */
  const lendable = (tenantId: number) => {
    const share = shareOfTenant(tenantId);
    const kept = slow.isTenant(tenantId) ? 0 : CLAIM_BATCH;
    return Math.min(Math.max(share - kept, share / 2), limits.free() / 2);
  };
  const noteFull = (taker: Taker) => {
    const { tenantId, endpointId } = taker;
    if (limits.ofTenant(tenantId) >= lendable(tenantId) || !hasBytes(tenantId)) full.tenants.add(tenantId);
    if (limits.ofEndpoint(endpointId) < shareOfEndpoint(taker)) return;
    full.endpoints.add(endpointId);
    tenantOf.set(endpointId, tenantId);
  };
  const take = (taker: Taker) => {
    const { tenantId, endpointId } = taker;
    const hasRoom =
      hasBytes(tenantId) &&
      limits.ofTenant(tenantId) < shareOfTenant(tenantId) &&
      limits.ofEndpoint(endpointId) < shareOfEndpoint(taker);
    const isTaken = hasRoom && limits.take(taker);
    noteFull(taker);
    return isTaken;
  };
  const hasTenantRoom = (id: number) => {
    const enough = slow.isTenant(id) ? shareOfTenant(id) - 1 : shareOfTenant(id) / 2;
    return limits.ofTenant(id) <= enough && hasBytes(id);
  };
  const hasEndpointRoom = (endpointId: number) => {
    const taker = { endpointId, tenantId: tenantOf.get(endpointId) ?? 0 };
    const share = shareOfEndpoint(taker);
    const enough = share < shares.perEndpoint ? share - 1 : share / 2;
    return limits.ofEndpoint(endpointId) <= enough;
  };

  return {
    take,
    lend(taker) {
      // Behind a backlog, which is claimed first, it would only wait and go back.
      const isBehind = full.endpoints.has(taker.endpointId);
      if (!isBehind && limits.ofTenant(taker.tenantId) < lendable(taker.tenantId)) return take(taker);
      noteFull(taker);
      return false;
    },
    giveBack: limits.giveBack,
    addBytes(tenantId, change) {
      bytes += change;
      const own = (bytesOf.get(tenantId) ?? 0) + change;
      if (own > 0) bytesOf.set(tenantId, own);
      else bytesOf.delete(tenantId);
    },
    free: () => (bytes >= 2 * MAX_BYTES ? 0 : limits.free()),
    ofEndpoint: limits.ofEndpoint,
    forClaim() {
      const endpoints = new Map<number, number>();
      for (const [id, count] of limits.endpoints()) endpoints.set(id, shares.perEndpoint - count);
      for (const id of slow.endpoints())
        endpoints.set(id, Math.max(0, places.perEndpoint - limits.ofEndpoint(id)));
      for (const id of full.endpoints) endpoints.set(id, 0);
      const tenants = new Map<number, number>();
      for (const id of limits.tenants())
        tenants.set(id, Math.max(0, shareOfTenant(id) - limits.ofTenant(id)));
      for (const id of full.tenants) tenants.set(id, 0);
      return { perEndpoint: shares.perEndpoint, endpoints, tenants };
    },
    noteClaimed({ perEndpoint, endpoints }, claimed) {
      const counts = Map.groupBy(claimed, ({ endpoint_id }) => endpoint_id);
      for (const [id, { length }] of counts)
        if (length >= (endpoints.get(id) ?? perEndpoint)) full.endpoints.add(id);
    },
    refill() {
      const before = full.tenants.size + full.endpoints.size;
      for (const id of full.tenants) if (hasTenantRoom(id)) full.tenants.delete(id);
      for (const id of full.endpoints) if (hasEndpointRoom(id)) full.endpoints.delete(id);
      for (const id of tenantOf.keys()) if (!full.endpoints.has(id)) tenantOf.delete(id);
      return full.tenants.size + full.endpoints.size < before;
    },
  };
}
