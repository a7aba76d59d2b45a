import { addTo } from '../domain/add-to.ts';
import type { ClaimLimits, HeldBody } from '../domain/lease.ts';
import { createConcurrencyLimits, type Limits, type Taker } from './concurrency-limits.ts';

/**
 * How many deliveries are leased for each that may be in flight: as many as are sent within a second where an attempt takes
 * 10 ms, or 20 where many tenants have something. What is sent saves a claim; what is not goes back by the hundred.
 */
const LEASED_AHEAD: Limits = { total: 50, perTenant: 100, perEndpoint: 100 };
/** Of the bodies of what is leased, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;
/** A claim for fewer deliveries is not worth its cost, unless a tenant or an endpoint has no more leases than that. */
const WORTH_A_CLAIM = 150;
/** Leases of a slow endpoint, for each delivery that it may have in flight: half of them are just being claimed or recorded. */
const HELD_BACK = 2;

export type HeldBackFor = 'slow' | 'failing';

/**
 * What one process may lease: more than it may have in flight, so that few deliveries are claimed one by one. One set of limits
 * for what is pre-leased, as its event comes in, and for what is claimed.
 *
 * An endpoint with a backlog, as far as is known here, gets its deliveries by claims alone, the longest due first. One that is held
 * back as well leases no more than keeps it at its concurrency, and its tenant's endpoints that are held back no more together than
 * that tenant may have in flight. Both end when a claim finds less than it might have brought.
 */
export interface LeaseLimits {
  /** Counts a claimed delivery and its body. False where a limit is reached. */
  claim(taker: Taker, body: HeldBody): boolean;
  /** The same for a delivery whose event has just come in. */
  preLease(taker: Taker, body: HeldBody): boolean;
  /** @returns whether a claim is worth its while now */
  giveBack(taker: Taker, body: HeldBody): boolean;
  /** A delivery is in the queue, to be claimed. */
  queued(taker: Taker): void;
  /** What it was given can't be sent, or fails. */
  holdBack(taker: Taker, why: HeldBackFor): void;
  free(): number;
  ofEndpoint(endpointId: number): number;
  /** What a claim may bring that begins now. */
  forClaim(): ClaimLimits;
  /** Those of which such a claim brought less than it might have no backlog any more. `isCovered`: it came as far as the endpoint. */
  noteClaimed(
    limits: ClaimLimits,
    brought: readonly Taker[],
    isCovered: (endpointId: number) => boolean,
  ): void;
}

export function createLeaseLimits(inFlight: Limits): LeaseLimits {
  const { perTenant, perEndpoint } = inFlight;
  const limits = {
    total: inFlight.total * LEASED_AHEAD.total,
    perTenant: perTenant * LEASED_AHEAD.perTenant,
    perEndpoint: perEndpoint * LEASED_AHEAD.perEndpoint,
  };
  const leased = createConcurrencyLimits(limits);
  const bytesOf = new Map<number, number>();
  let bytes = 0;
  /** Endpoint id → its tenant's. */
  const backlogs = new Map<number, number>();
  /** Tenant id → its endpoints, those that a claim has given least to first → why. */
  const heldBack = new Map<number, Map<number, HeldBackFor>>();
  /** Endpoints of which something has been given back since the last claim began. */
  const queuedMeanwhile = new Set<number>();

  const isHeldBack = ({ tenantId, endpointId }: Taker) => heldBack.get(tenantId)?.has(endpointId) ?? false;
  /** A tenant gets no more bytes than would be left free; one delivery always goes, however large. */
  const hasBytes = (tenantId: number) =>
    leased.ofTenant(tenantId) === 0
      ? bytes < 2 * MAX_BYTES
      : (bytesOf.get(tenantId) ?? 0) < MAX_BYTES - bytes;
  const leftToHeldBack = (tenantId: number) => {
    let left = perTenant;
    for (const id of heldBack.get(tenantId)?.keys() ?? []) left -= leased.ofEndpoint(id);
    return left;
  };
  /** Slow endpoints of a tenant divide its concurrency among them. A failing one gets no more until its failures are recorded. */
  const mostHeldBack = ({ tenantId, endpointId }: Taker) => {
    const others = heldBack.get(tenantId);
    if (others?.get(endpointId) === 'failing') return perEndpoint;
    const part = Math.floor(perTenant / (others?.size ?? 1));
    return Math.max(perEndpoint, Math.min(HELD_BACK * perEndpoint, part));
  };
  /** Half of what is left, so that no endpoint takes all of it. */
  const leftForHeldBack = (taker: Taker, left: number) => {
    const own = mostHeldBack(taker) - leased.ofEndpoint(taker.endpointId);
    return Math.max(0, Math.min(own, Math.ceil(left / 2), leased.leftForEndpoint(taker)));
  };
  const leftFor = (taker: Taker) =>
    isHeldBack(taker)
      ? leftForHeldBack(taker, leftToHeldBack(taker.tenantId))
      : leased.leftForEndpoint(taker);
  const isWorthAClaim = (left: number, has: number) => left >= Math.max(1, Math.min(WORTH_A_CLAIM, has));
  const isTenantWorthAClaim = (id: number) =>
    hasBytes(id) && isWorthAClaim(leased.leftForTenant(id), leased.ofTenant(id));
  const isEndpointWorthAClaim = (taker: Taker) =>
    isWorthAClaim(leftFor(taker), isHeldBack(taker) ? 0 : leased.ofEndpoint(taker.endpointId));
  /** A claim brings up to this of each endpoint of the tenant. One at least, so that an endpoint without leases gets its turn. */
  const claimableOfTenant = (id: number) => {
    const left = hasBytes(id) ? leased.leftForTenant(id) : 0;
    return isTenantWorthAClaim(id) ? left : Math.min(1, left);
  };
  const addBytes = (tenantId: number, change: number) => {
    bytes += change;
    addTo(bytesOf, tenantId, change);
  };
  const take = (taker: Taker, body: HeldBody) => {
    const { tenantId } = taker;
    if (!hasBytes(tenantId) || leftFor(taker) <= 0 || !leased.take(taker)) return false;
    if (body.holders === 0) addBytes(tenantId, body.bytes);
    body.holders += 1;
    return true;
  };
  const free = () => (bytes >= 2 * MAX_BYTES ? 0 : leased.free());
  const queued = ({ tenantId, endpointId }: Taker) => {
    backlogs.set(endpointId, tenantId);
    queuedMeanwhile.add(endpointId);
  };
  const endBacklog = ({ tenantId, endpointId }: Taker) => {
    backlogs.delete(endpointId);
    const others = heldBack.get(tenantId);
    others?.delete(endpointId);
    if (others?.size === 0) heldBack.delete(tenantId);
  };

  return {
    claim: take,
    preLease(taker, body) {
      const isTaken = !backlogs.has(taker.endpointId) && take(taker, body);
      // Not `queued`: where events come in faster than claims are made, the backlog would never end.
      if (!isTaken) backlogs.set(taker.endpointId, taker.tenantId);
      return isTaken;
    },
    giveBack(taker, body) {
      const wasFull = free() <= 0;
      leased.giveBack(taker);
      body.holders -= 1;
      if (body.holders === 0) addBytes(taker.tenantId, -body.bytes);
      if (wasFull) return true;
      const hasMore = backlogs.has(taker.endpointId);
      return hasMore && isEndpointWorthAClaim(taker) && isTenantWorthAClaim(taker.tenantId);
    },
    queued,
    holdBack(taker, why) {
      const { tenantId, endpointId } = taker;
      queued(taker);
      heldBack.getOrInsertComputed(tenantId, () => new Map()).set(endpointId, why);
    },
    free,
    ofEndpoint: leased.ofEndpoint,
    forClaim() {
      queuedMeanwhile.clear();
      const endpoints = new Map<number, number>();
      const tenants = new Map<number, number>();
      for (const taker of leased.endpoints()) {
        if (!isHeldBack(taker))
          endpoints.set(taker.endpointId, isEndpointWorthAClaim(taker) ? leftFor(taker) : 0);
        tenants.set(taker.tenantId, claimableOfTenant(taker.tenantId));
      }
      for (const [tenantId, ids] of heldBack) {
        let left = leftToHeldBack(tenantId);
        for (const [id, why] of [...ids]) {
          const share = leftForHeldBack({ tenantId, endpointId: id }, left);
          endpoints.set(id, share);
          left -= share;
          // To the end: the next time others come first.
          if (share > 0 && ids.delete(id)) ids.set(id, why);
        }
      }
      return { perEndpoint: limits.perEndpoint, endpoints, tenants };
    },
    noteClaimed({ endpoints, tenants }, brought, isCovered) {
      const most = ({ tenantId, endpointId }: Taker) =>
        Math.min(endpoints.get(endpointId) ?? limits.perEndpoint, tenants.get(tenantId) ?? limits.perTenant);
      const counts = new Map<number, number>();
      for (const { tenantId, endpointId } of brought) {
        addTo(counts, endpointId, 1);
        backlogs.set(endpointId, tenantId);
      }
      for (const [endpointId, tenantId] of backlogs) {
        const hasMore = (counts.get(endpointId) ?? 0) >= most({ tenantId, endpointId });
        if (!hasMore && isCovered(endpointId) && !queuedMeanwhile.has(endpointId))
          endBacklog({ tenantId, endpointId });
      }
    },
  };
}
