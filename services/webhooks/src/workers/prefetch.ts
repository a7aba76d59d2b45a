import type { Claim } from '../data/queue.repository.ts';
import { addTo } from '../domain/add-to.ts';
import { createConcurrencyLimits, type Shares, type Taker } from '../domain/concurrency-limits.ts';
import { createPrefetchRoom, type PrefetchRoom } from '../domain/prefetch-room.ts';
import { createSlowReceivers, MAX_WAIT_MS } from '../domain/slow-receivers.ts';

/** Whoever should have given up what waits may itself be waiting, for the database say: then nothing so old is sent either. */
const MAX_AGE_MS = 2 * MAX_WAIT_MS;

/** On end. One that fails now and then keeps what waits for it. */
const FAILURES_TO_GIVE_UP = 3;

/** How an attempt ended; `refused` where nothing more shall be sent to its endpoint from here, until it changes. */
export type AttemptEnd = 'delivered' | 'failed' | 'refused';

/** The deliveries that this process has leased: under way, waiting here for a place, or with their result still to be written. */
export interface Prefetch {
  room: PrefetchRoom;
  /** Sends claims that have taken room, as soon as there are places. */
  send(claims: readonly Claim[]): void;
  /** An attempt is over: its place is free. Of an endpoint that fails again and again nothing waits here: the queue knows how it fares. */
  ended(claim: Claim, how: AttemptEnd): void;
  /** Gives the room of a claim back: its result is written. */
  release(claim: Claim): void;
  /** Gives up what has waited for too long. To be called several times a second. */
  tick(): void;
  /** Gives up what waits here for one endpoint, as that has changed, or for all of them. */
  drop(endpointId?: number): Promise<void>;
  underWay(): number;
}

interface Waiting {
  claim: Claim;
  taker: Taker;
  since: number;
}

const byDue = ({ claim: a }: Waiting, { claim: b }: Waiting) => a.due_at_ms - b.due_at_ms || a.id - b.id;

/**
 * @param options.places how many deliveries may be under way
 * @param options.start begins an attempt, the end of which `ended` is told
 * @param options.giveUp ends the leases of claims that nobody sends any more; never rejects
 */
export function createPrefetch(options: {
  places: Shares;
  start: (claim: Claim) => void;
  giveUp: (claims: readonly Claim[]) => Promise<void>;
}): Prefetch {
  const { places, start, giveUp } = options;
  const underWay = createConcurrencyLimits(places, { leavesRoom: true });
  const slowEndpoints = createSlowReceivers(places.perEndpoint);
  const slowTenants = createSlowReceivers(places.perTenant);
  /** Endpoint id → how many of its attempts have failed since one succeeded. */
  const failing = new Map<number, number>();
  const room = createPrefetchRoom(places, {
    endpoints: () => new Set([...failing.keys(), ...slowEndpoints.all()]),
    isEndpoint: (id) => failing.has(id) || slowEndpoints.has(id),
    isTenant: slowTenants.has,
    hasKeptWaiting: ({ tenantId, endpointId }) =>
      slowEndpoints.hasKeptWaiting(endpointId) || slowTenants.hasKeptWaiting(tenantId),
  });
  /** Endpoint id → its claims, the longest due first; endpoints in the order of their turns. */
  const waiting = new Map<number, Waiting[]>();
  /** Tenant id → how many of its claims wait. */
  const waitingOfTenant = new Map<number, number>();

  const takerOf = (claim: Claim): Taker => ({ tenantId: claim.tenant_id, endpointId: claim.endpoint_id });
  /** Usually none may, and then no endpoint needs to be tried. */
  const mayAnyTenantSend = () => {
    for (const tenantId of waitingOfTenant.keys()) if (underWay.hasTenantShare(tenantId)) return true;
    return false;
  };
  /** Of the endpoints that have waited longest for their turn, the first that may. */
  const startOne = () => {
    if (underWay.free() <= 0 || !mayAnyTenantSend()) return false;
    const oldest = performance.now() - MAX_AGE_MS;
    for (const queue of waiting.values()) {
      const { claim, taker, since } = queue[0] as Waiting;
      if (since < oldest || !underWay.take(taker)) continue;
      const { endpointId } = taker;
      queue.shift();
      addTo(waitingOfTenant, taker.tenantId, -1);
      waiting.delete(endpointId);
      if (queue.length > 0) waiting.set(endpointId, queue);
      start(claim);
      return true;
    }
    return false;
  };
  const release = (claim: Claim) => {
    room.giveBack(takerOf(claim), { body: claim.held, isLent: claim.is_lent });
  };
  /** The room is free again only once the leases are given up, or will end by themselves. */
  const giveUpThese = async (claims: readonly Claim[]) => {
    if (claims.length === 0) return;
    await giveUp(claims);
    claims.forEach(release);
  };
  const takeOut = (endpointId: number, isOut: (since: number) => boolean): Claim[] => {
    const { out = [], kept = [] } = Object.groupBy(waiting.get(endpointId) ?? [], ({ since }) =>
      isOut(since) ? 'out' : 'kept',
    );
    if (kept.length > 0) waiting.set(endpointId, kept);
    else waiting.delete(endpointId);
    for (const { taker } of out) addTo(waitingOfTenant, taker.tenantId, -1);
    return out.map(({ claim }) => claim);
  };

  return {
    room,
    send(claims) {
      const since = performance.now();
      for (const [endpointId, own] of Map.groupBy(claims, ({ endpoint_id }) => endpoint_id)) {
        const queue = waiting.getOrInsertComputed(endpointId, () => []);
        for (const claim of own) {
          queue.push({ claim, taker: takerOf(claim), since });
          addTo(waitingOfTenant, claim.tenant_id, 1);
        }
        queue.sort(byDue);
      }
      while (startOne());
    },
    ended({ endpoint_id: endpointId, tenant_id: tenantId, consecutive_failures }, how) {
      slowEndpoints.ended(endpointId);
      slowTenants.ended(tenantId);
      if (how === 'delivered') failing.delete(endpointId);
      else {
        const failures = (failing.get(endpointId) ?? consecutive_failures) + 1;
        failing.set(endpointId, failures);
        if (how === 'refused' || failures >= FAILURES_TO_GIVE_UP)
          void giveUpThese(takeOut(endpointId, () => true));
      }
      underWay.giveBack(endpointId);
      while (startOne());
    },
    release,
    tick() {
      const now = performance.now();
      const overdue = [...waiting.keys()].flatMap((id) => takeOut(id, (since) => now - since > MAX_WAIT_MS));
      for (const { tenant_id, endpoint_id } of overdue) {
        slowEndpoints.keptWaiting(endpoint_id);
        slowTenants.keptWaiting(tenant_id);
      }
      slowEndpoints.tick();
      slowTenants.tick();
      for (const id of failing.keys()) if (room.ofEndpoint(id) === 0) failing.delete(id);
      void giveUpThese(overdue);
    },
    async drop(endpointId) {
      const dropped = endpointId === undefined ? [...waiting.keys()] : [endpointId];
      await giveUpThese(dropped.flatMap((id) => takeOut(id, () => true)));
    },
    underWay: underWay.inUse,
  };
}
