import { createConcurrencyLimits, type Shares, type Taker } from './concurrency-limits.ts';

/** Claimed at once, at most. */
export const CLAIM_BATCH = 300;
/** For each place, what is claimed. */
const CLAIMED_PER_PLACE: Shares = { total: 20, perTenant: 20, perEndpoint: 25 };
/**
 * For each place, what is lent as its event comes in: as many as may be sent within a second. Those that are not go back, which costs
 * no more than if they had been queued, while each that is costs a claim less.
 */
const LENT_PER_PLACE: Shares = { total: 50, perTenant: 100, perEndpoint: 100 };
/** Of the bodies that are prefetched or under way, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/** What a claim may bring: of those that are named so many, of the others `perEndpoint`. */
export interface ClaimRoom {
  perEndpoint: number;
  endpoints: ReadonlyMap<number, number>;
  tenants: ReadonlyMap<number, number>;
}

/**
 * Room for deliveries that this process leases: more than it has places to send from, so that few are looked for one by one.
 * There is a room for what is claimed and another for what is lent as it comes in, so that neither keeps the other out.
 */
export interface PrefetchRoom {
  /** Takes the room for one delivery that was claimed. False where there is none, by whichever share. */
  take(taker: Taker): boolean;
  /** The same for one that has just come in; shared as places are. */
  lend(taker: Taker): boolean;
  giveBack(endpointId: number, isLent: boolean): void;
  /** What the bodies of a tenant's deliveries take, in bytes; negative as they go. */
  addBytes(tenantId: number, bytes: number): void;
  /** For claims. */
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
  const shares = times(places, CLAIMED_PER_PLACE);
  const lentShares = times(places, LENT_PER_PLACE);
  const claimed = createConcurrencyLimits(shares, { leavesRoom: false });
  const lent = createConcurrencyLimits(lentShares, { leavesRoom: true });
  const bytesOf = new Map<number, number>();
  let bytes = 0;
  const full = { tenants: new Set<number>(), endpoints: new Set<number>() };
  /** Of the endpoints that are full. */
  const tenantOf = new Map<number, number>();

  const ofEndpoint = (id: number) => claimed.ofEndpoint(id) + lent.ofEndpoint(id);
  const ofTenant = (id: number) => claimed.ofTenant(id) + lent.ofTenant(id);
  const tenantPlaces = (id: number) => Math.max(0, places.perTenant - ofTenant(id));
  /** The places that an endpoint has left, lent or claimed: all that it gets where it is slow, or its tenant. */
  const endpointPlaces = ({ tenantId, endpointId }: Taker) => {
    // As places are shared: none of a slow tenant's endpoints takes all.
    const share = slow.isTenant(tenantId) ? Math.ceil(tenantPlaces(tenantId) / 2) : places.perEndpoint;
    return Math.min(places.perEndpoint, share) - ofEndpoint(endpointId);
  };
  const isSlow = ({ tenantId, endpointId }: Taker) => slow.isTenant(tenantId) || slow.isEndpoint(endpointId);
  /** A tenant gets no more bytes than would be left free; one delivery always goes, however large. */
  const hasBytes = (tenantId: number) =>
    ofTenant(tenantId) === 0 ? bytes < 2 * MAX_BYTES : (bytesOf.get(tenantId) ?? 0) < MAX_BYTES - bytes;
  const mayTake = (taker: Taker) => hasBytes(taker.tenantId) && (!isSlow(taker) || endpointPlaces(taker) > 0);

  const claimable = (tenantId: number) =>
    slow.isTenant(tenantId) ? tenantPlaces(tenantId) : shares.perTenant - claimed.ofTenant(tenantId);
  const noteTenant = (tenantId: number) => {
    if (claimable(tenantId) <= 0 || !hasBytes(tenantId)) full.tenants.add(tenantId);
  };
  const noteEndpoint = ({ tenantId, endpointId }: Taker) => {
    full.endpoints.add(endpointId);
    tenantOf.set(endpointId, tenantId);
  };
  const hasTenantRoom = (id: number) =>
    claimable(id) >= (slow.isTenant(id) ? 1 : shares.perTenant / 2) && hasBytes(id);
  const hasEndpointRoom = (endpointId: number) => {
    const taker = { endpointId, tenantId: tenantOf.get(endpointId) ?? 0 };
    if (isSlow(taker)) return endpointPlaces(taker) > 0;
    return (
      claimed.ofEndpoint(endpointId) <= shares.perEndpoint / 2 &&
      lent.ofEndpoint(endpointId) <= lentShares.perEndpoint / 2
    );
  };

  return {
    take(taker) {
      const isTaken = mayTake(taker) && claimed.take(taker);
      noteTenant(taker.tenantId);
      const left = shares.perEndpoint - claimed.ofEndpoint(taker.endpointId);
      if (left <= 0 || (isSlow(taker) && endpointPlaces(taker) <= 0)) noteEndpoint(taker);
      return isTaken;
    },
    lend(taker) {
      // Behind a backlog, which is claimed first, it would only wait and go back.
      const isBehind = full.endpoints.has(taker.endpointId);
      const isTaken = !isBehind && mayTake(taker) && lent.take(taker);
      noteTenant(taker.tenantId);
      if (!isTaken && hasBytes(taker.tenantId)) noteEndpoint(taker);
      return isTaken;
    },
    giveBack: (endpointId, isLent) => (isLent ? lent : claimed).giveBack(endpointId),
    addBytes(tenantId, change) {
      bytes += change;
      const own = (bytesOf.get(tenantId) ?? 0) + change;
      if (own > 0) bytesOf.set(tenantId, own);
      else bytesOf.delete(tenantId);
    },
    free: () => (bytes >= 2 * MAX_BYTES ? 0 : claimed.free()),
    ofEndpoint,
    forClaim() {
      const endpoints = new Map<number, number>();
      for (const [id, count] of claimed.endpoints()) endpoints.set(id, shares.perEndpoint - count);
      for (const id of slow.endpoints()) endpoints.set(id, Math.max(0, places.perEndpoint - ofEndpoint(id)));
      for (const id of full.endpoints) endpoints.set(id, 0);
      const tenants = new Map<number, number>();
      for (const id of [...claimed.tenants(), ...lent.tenants()]) tenants.set(id, claimable(id));
      for (const id of full.tenants) tenants.set(id, 0);
      return { perEndpoint: shares.perEndpoint, endpoints, tenants };
    },
    noteClaimed({ perEndpoint, endpoints }, brought) {
      const counts = Map.groupBy(brought, ({ endpoint_id }) => endpoint_id);
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

const times = (places: Shares, each: Shares): Shares => ({
  total: places.total * each.total,
  perTenant: places.perTenant * each.perTenant,
  perEndpoint: places.perEndpoint * each.perEndpoint,
});
