import type { Claim } from '../data/queue.repository.ts';
import { createCapacity, type Shares, type Taker } from './capacity.ts';
import { createPace, MAX_WAIT_MS } from './pace.ts';
import { createRoom, type Room } from './room.ts';

/**
 * The deliveries that this process holds a lease on: under way, waiting here for one of the places to send from, or with
 * their result still to be written.
 */
export interface Hand {
  room: Room;
  /** Sends claims that have taken room, as soon as there are places. */
  send(claims: readonly Claim[]): void;
  /** An attempt is over: its place is free. Of an endpoint that fails nothing waits here: the queue knows how it fares. */
  ended(claim: Claim, hasFailed: boolean): void;
  /** Gives the room of a claim back: its result is written. */
  release(claim: Claim): void;
  /** Gives up what has waited for too long. To be called several times a second. */
  tick(): Promise<void>;
  /** Gives up what waits here for one endpoint, as that has changed, or for all of them. */
  drop(endpointId?: number): Promise<void>;
  inFlight(): number;
}

interface Waiting {
  claim: Claim;
  since: number;
}

/**
 * @param options.places how many deliveries may be under way
 * @param options.start begins an attempt, the end of which `ended` is told
 * @param options.giveUp ends the leases of claims that nobody sends any more
 */
export function createHand(options: {
  places: Shares;
  start: (claim: Claim) => void;
  giveUp: (claims: readonly Claim[]) => Promise<void>;
}): Hand {
  const { places, start, giveUp } = options;
  const underWay = createCapacity(places, { leavesRoom: true });
  const endpoints = createPace(places.perEndpoint);
  const tenants = createPace(places.perTenant);
  /** Endpoints whose last attempt failed. */
  const failing = new Set<number>();
  const room = createRoom(places, {
    endpoints: () => failing.union(new Set(endpoints.stalled())),
    isTenant: tenants.hasStalled,
  });
  /** Endpoint id → its claims, the longest waiting first; endpoints in the order of their turns. */
  const waiting = new Map<number, Waiting[]>();

  const takerOf = (claim: Claim): Taker => ({ tenantId: claim.tenant_id, endpointId: claim.endpoint_id });
  /** Of the endpoints that have waited longest for their turn, the first that may. */
  const startOne = () => {
    if (underWay.free() <= 0) return false;
    for (const [endpointId, queue] of waiting) {
      const { claim } = queue[0] as Waiting;
      if (!underWay.take(takerOf(claim))) continue;
      queue.shift();
      waiting.delete(endpointId);
      if (queue.length > 0) waiting.set(endpointId, queue);
      start(claim);
      return true;
    }
    return false;
  };
  const release = (claim: Claim) => {
    room.addBytes(-claim.body.length);
    room.giveBack(claim.endpoint_id);
  };
  /** The room is free again only once the leases are given up, or will end by themselves. */
  const giveUpThese = async (claims: readonly Claim[]) => {
    if (claims.length > 0) await giveUp(claims).finally(() => claims.forEach(release));
  };
  const takeOut = (endpointId: number, isOut: (since: number) => boolean): Claim[] => {
    const { out = [], kept = [] } = Object.groupBy(waiting.get(endpointId) ?? [], ({ since }) =>
      isOut(since) ? 'out' : 'kept',
    );
    if (kept.length > 0) waiting.set(endpointId, kept);
    else waiting.delete(endpointId);
    return out.map(({ claim }) => claim);
  };

  return {
    room,
    send(claims) {
      const since = performance.now();
      for (const claim of claims) {
        room.addBytes(claim.body.length);
        waiting.getOrInsertComputed(claim.endpoint_id, () => []).push({ claim, since });
      }
      while (startOne());
    },
    ended({ endpoint_id: endpointId, tenant_id: tenantId }, hasFailed) {
      endpoints.ended(endpointId);
      tenants.ended(tenantId);
      if (hasFailed) failing.add(endpointId);
      else failing.delete(endpointId);
      if (hasFailed) void giveUpThese(takeOut(endpointId, () => true));
      underWay.giveBack(endpointId);
      startOne();
    },
    release,
    async tick() {
      const now = performance.now();
      const overdue = [...waiting.keys()].flatMap((id) => takeOut(id, (since) => now - since > MAX_WAIT_MS));
      for (const { tenant_id, endpoint_id } of overdue) {
        endpoints.keptWaiting(endpoint_id);
        tenants.keptWaiting(tenant_id);
      }
      endpoints.tick();
      tenants.tick();
      for (const id of failing) if (room.ofEndpoint(id) === 0) failing.delete(id);
      await giveUpThese(overdue);
    },
    async drop(endpointId) {
      const dropped = endpointId === undefined ? [...waiting.keys()] : [endpointId];
      await giveUpThese(dropped.flatMap((id) => takeOut(id, () => true)));
    },
    inFlight: underWay.inFlight,
  };
}
