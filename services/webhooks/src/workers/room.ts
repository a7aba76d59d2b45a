import { createCapacity, type Shares, type Taker } from './capacity.ts';

/** Claimed at once, at most. */
export const CLAIM_BATCH = 300;
/** Claims in hand for each place. */
const PER_PLACE = { total: 20, perTenant: 20, perEndpoint: 25 };
/** Of bodies in hand, in bytes: about where no more is taken. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Room for claims in this process, more than it has places to send from: few have to be looked for one by one. */
export interface Room {
  /** Takes the room for one more claim. False where there is none, by whichever share. */
  take(taker: Taker): boolean;
  /** The same for a delivery that hasn't been claimed; for claims there is more. */
  lend(taker: Taker): boolean;
  giveBack(endpointId: number): void;
  /** What bodies in hand take, in bytes. */
  addBytes(bytes: number): void;
  free(): number;
  ofEndpoint(endpointId: number): number;
  /** Endpoint id → how much of its share is used, as a claim is to see it. */
  busy(): ReadonlyMap<number, number>;
  perEndpoint: number;
  /** Tenants of which no more is to be claimed. */
  fullTenants(): number[];
  /** An endpoint that a claim brought all that there was room for may have more waiting. `busy`: as the claim saw it. */
  noteClaimed(busy: ReadonlyMap<number, number>, claimed: readonly { endpoint_id: number }[]): void;
  /** Whether someone who had no more has room again: half of their share, which makes a claim worth its while. */
  refill(): boolean;
}

/** @param slow who gets no more room than places: those endpoints, and whether a tenant is one of them */
export function createRoom(
  places: Shares,
  slow: { endpoints(): ReadonlySet<number>; isTenant(tenantId: number): boolean },
): Room {
  const shares: Shares = {
    total: places.total * PER_PLACE.total,
    perTenant: places.perTenant * PER_PLACE.perTenant,
    perEndpoint: places.perEndpoint * PER_PLACE.perEndpoint,
  };
  const inHand = createCapacity(shares);
  let bytes = 0;
  const sated = { tenants: new Set<number>(), endpoints: new Set<number>() };

  const ofEndpoint = (id: number) => (slow.endpoints().has(id) ? places.perEndpoint : shares.perEndpoint);
  const ofTenant = (id: number) => (slow.isTenant(id) ? places.perTenant : shares.perTenant);
  /** What a claim brings of a tenant isn't known before: for that a part of its room is kept free. */
  const lendable = (tenantId: number) => {
    const share = ofTenant(tenantId);
    return Math.min(Math.max(share - CLAIM_BATCH, share / 2), inHand.free() / 2);
  };
  const noteSated = ({ tenantId, endpointId }: Taker) => {
    if (inHand.ofTenant(tenantId) >= lendable(tenantId)) sated.tenants.add(tenantId);
    if (inHand.ofEndpoint(endpointId) >= ofEndpoint(endpointId)) sated.endpoints.add(endpointId);
  };
  const take = (taker: Taker) => {
    const isFull =
      bytes >= MAX_BYTES ||
      inHand.ofEndpoint(taker.endpointId) >= ofEndpoint(taker.endpointId) ||
      inHand.ofTenant(taker.tenantId) >= ofTenant(taker.tenantId);
    const isTaken = !isFull && inHand.take(taker);
    noteSated(taker);
    return isTaken;
  };

  return {
    take,
    lend(taker) {
      if (inHand.ofTenant(taker.tenantId) < lendable(taker.tenantId)) return take(taker);
      noteSated(taker);
      return false;
    },
    giveBack: inHand.giveBack,
    addBytes(more) {
      bytes += more;
    },
    free: () => (bytes >= MAX_BYTES ? 0 : inHand.free()),
    ofEndpoint: inHand.ofEndpoint,
    busy() {
      const used = new Map(inHand.busy());
      const beyondPlaces = shares.perEndpoint - places.perEndpoint;
      for (const id of slow.endpoints()) used.set(id, (used.get(id) ?? 0) + beyondPlaces);
      for (const id of sated.endpoints) used.set(id, shares.perEndpoint);
      return used;
    },
    perEndpoint: shares.perEndpoint,
    fullTenants: () => [...sated.tenants],
    noteClaimed(busy, claimed) {
      const counts = Map.groupBy(claimed, ({ endpoint_id }) => endpoint_id);
      for (const [id, { length }] of counts)
        if ((busy.get(id) ?? 0) + length >= shares.perEndpoint) sated.endpoints.add(id);
    },
    refill() {
      const before = sated.tenants.size + sated.endpoints.size;
      for (const id of sated.tenants) if (inHand.ofTenant(id) <= ofTenant(id) / 2) sated.tenants.delete(id);
      for (const id of sated.endpoints)
        if (inHand.ofEndpoint(id) <= ofEndpoint(id) / 2) sated.endpoints.delete(id);
      return sated.tenants.size + sated.endpoints.size < before;
    },
  };
}
