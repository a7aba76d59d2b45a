import { addTo } from './add-to.ts';
import { createConcurrencyLimits, type Shares, type Taker } from './concurrency-limits.ts';

/** For each place, what is claimed. */
const CLAIMED_PER_PLACE: Shares = { total: 20, perTenant: 20, perEndpoint: 25 };
/**
 * For each place, what is lent as its event comes in: as many as are sent within a second where an attempt takes 10 ms, or 20 where many
 * tenants have something. What is sent saves a claim; what is not goes back by the hundred.
 */
const LENT_PER_PLACE: Shares = { total: 50, perTenant: 100, perEndpoint: 100 };
/** Of the bodies that are prefetched or under way, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/** A body in memory: it takes room with the first delivery that holds it, and gives it back with the last. */
export interface HeldBody {
  readonly bytes: number;
  holders: number;
}

/** What a claim may bring: of those that are named so many, of the others `perEndpoint`. */
export interface ClaimRoom {
  perEndpoint: number;
  endpoints: ReadonlyMap<number, number>;
  tenants: ReadonlyMap<number, number>;
}

/**
 * Room for deliveries that this process leases: more than it has places to send from, so that few are looked for one by one.
 * What is claimed and what is lent as it comes in are counted apart: lending leaves a tenant its claims. An endpoint that has filled
 * either waits until both are half free.
 */
export interface PrefetchRoom {
  /** Takes the room for one delivery that was claimed, and for its body. False where there is none, by whichever share. */
  take(taker: Taker, body: HeldBody): boolean;
  /** The same for one that has just come in; shared as places are. */
  lend(taker: Taker, body: HeldBody): boolean;
  giveBack(taker: Taker, delivery: { body: HeldBody; isLent: boolean }): void;
  /** For claims. */
  free(): number;
  ofEndpoint(endpointId: number): number;
  forClaim(): ClaimRoom;
  /** An endpoint of which a claim brought all that it might may have more waiting. */
  noteClaimed(room: ClaimRoom, claimed: readonly { endpoint_id: number; tenant_id: number }[]): void;
  /** Whether someone who had no more has room again, enough to make a claim worth its while. */
  refill(): boolean;
}

/** Who gets no more room than places: what they have keeps waiting. */
export interface Slow {
  endpoints(): Iterable<number>;
  isEndpoint(endpointId: number): boolean;
  isTenant(tenantId: number): boolean;
  /** Something for it, or for its tenant, has lately waited for too long. */
  hasKeptWaiting(taker: Taker): boolean;
}

export function createPrefetchRoom(places: Shares, slow: Slow): PrefetchRoom {
  const claimShares = times(places, CLAIMED_PER_PLACE);
  const lentShares = times(places, LENT_PER_PLACE);
  const claimed = createConcurrencyLimits(claimShares, { leavesRoom: false });
  const lent = createConcurrencyLimits(lentShares, { leavesRoom: true });
  const bytesOf = new Map<number, number>();
  let bytes = 0;
  const fullTenants = new Set<number>();
  /** Endpoint id → its tenant's. */
  const fullEndpoints = new Map<number, number>();

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
  const isHeldBack = (taker: Taker) => isSlow(taker) && endpointPlaces(taker) <= 0;
  /** Who couldn't be sent all that it was lent gets no more than by claims. */
  const isOverlent = (taker: Taker) =>
    slow.hasKeptWaiting(taker) &&
    (lent.ofEndpoint(taker.endpointId) >= claimShares.perEndpoint ||
      lent.ofTenant(taker.tenantId) >= claimShares.perTenant);
  const addBytes = (tenantId: number, change: number) => {
    bytes += change;
    addTo(bytesOf, tenantId, change);
  };
  const hold = (tenantId: number, body: HeldBody) => {
    if (body.holders === 0) addBytes(tenantId, body.bytes);
    body.holders += 1;
  };
  /** A tenant gets no more bytes than would be left free; one delivery always goes, however large. */
  const hasBytes = (tenantId: number) =>
    ofTenant(tenantId) === 0 ? bytes < 2 * MAX_BYTES : (bytesOf.get(tenantId) ?? 0) < MAX_BYTES - bytes;
  const claimable = (tenantId: number) =>
    slow.isTenant(tenantId) ? tenantPlaces(tenantId) : claimShares.perTenant - claimed.ofTenant(tenantId);
  const noteIfTenantFull = (tenantId: number) => {
    if (claimable(tenantId) <= 0 || !hasBytes(tenantId)) fullTenants.add(tenantId);
  };
  const hasTenantRoom = (id: number) =>
    claimable(id) >= (slow.isTenant(id) ? 1 : claimShares.perTenant / 2) && hasBytes(id);
  const hasEndpointRoom = (taker: Taker) =>
    isSlow(taker)
      ? !isHeldBack(taker)
      : claimed.ofEndpoint(taker.endpointId) <= claimShares.perEndpoint / 2 &&
        lent.ofEndpoint(taker.endpointId) <= lentShares.perEndpoint / 2;

  return {
    take(taker, body) {
      const { tenantId, endpointId } = taker;
      const isTaken = hasBytes(tenantId) && !isHeldBack(taker) && claimed.take(taker);
      if (isTaken) hold(tenantId, body);
      noteIfTenantFull(tenantId);
      if (claimed.ofEndpoint(endpointId) >= claimShares.perEndpoint || isHeldBack(taker))
        fullEndpoints.set(endpointId, tenantId);
      return isTaken;
    },
    lend(taker, body) {
      const { tenantId, endpointId } = taker;
      // Behind a backlog, which is claimed first, it would only wait and go back.
      const isBehind = fullEndpoints.has(endpointId);
      const mayHave = !isBehind && hasBytes(tenantId) && !isHeldBack(taker) && !isOverlent(taker);
      const isLent = mayHave && lent.take(taker);
      if (isLent) hold(tenantId, body);
      noteIfTenantFull(tenantId);
      if (!isLent) fullEndpoints.set(endpointId, tenantId);
      return isLent;
    },
    giveBack({ tenantId, endpointId }, { body, isLent }) {
      body.holders -= 1;
      if (body.holders === 0) addBytes(tenantId, -body.bytes);
      (isLent ? lent : claimed).giveBack(endpointId);
    },
    free: () => (bytes >= 2 * MAX_BYTES ? 0 : claimed.free()),
    ofEndpoint,
    forClaim() {
      const endpoints = new Map<number, number>();
      for (const [id, count] of claimed.endpoints()) endpoints.set(id, claimShares.perEndpoint - count);
      for (const id of slow.endpoints()) endpoints.set(id, Math.max(0, places.perEndpoint - ofEndpoint(id)));
      for (const id of fullEndpoints.keys()) endpoints.set(id, 0);
      const tenants = new Map<number, number>();
      // Others have all of theirs: a claim goes through these for each endpoint.
      for (const id of claimed.tenants()) tenants.set(id, claimable(id));
      for (const id of lent.tenants()) if (slow.isTenant(id)) tenants.set(id, claimable(id));
      for (const id of fullTenants) tenants.set(id, 0);
      return { perEndpoint: claimShares.perEndpoint, endpoints, tenants };
    },
    noteClaimed({ perEndpoint, endpoints }, brought) {
      for (const [id, own] of Map.groupBy(brought, ({ endpoint_id }) => endpoint_id))
        if (own.length >= (endpoints.get(id) ?? perEndpoint))
          fullEndpoints.set(id, own[0]?.tenant_id as number);
    },
    refill() {
      const before = fullTenants.size + fullEndpoints.size;
      for (const id of fullTenants) if (hasTenantRoom(id)) fullTenants.delete(id);
      for (const [endpointId, tenantId] of fullEndpoints)
        if (hasEndpointRoom({ endpointId, tenantId })) fullEndpoints.delete(endpointId);
      return fullTenants.size + fullEndpoints.size < before;
    },
  };
}

const times = (places: Shares, each: Shares): Shares => ({
  total: places.total * each.total,
  perTenant: places.perTenant * each.perTenant,
  perEndpoint: places.perEndpoint * each.perEndpoint,
});
