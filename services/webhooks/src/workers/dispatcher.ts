import type { Claim } from '../data/queue.repository.ts';
import { addTo } from '../domain/add-to.ts';
import { createConcurrencyLimits, type Limits, type Taker } from '../state/concurrency-limits.ts';
import type { HeldBackFor } from '../state/lease-limits.ts';

/** Leased deliveries wait so long to be sent; after that they go back to the queue. */
export const MAX_WAIT_MS = 1_000;
/** The component that returns old deliveries may itself wait, for the database say: a delivery this old is not sent either. */
const MAX_AGE_MS = 2 * MAX_WAIT_MS;

/** In a row. An endpoint that fails now and then keeps its waiting deliveries. */
const FAILURES_TO_GIVE_UP = 3;

/** How an attempt ended; `gone` where nothing more shall be sent to its endpoint until that changes, `unsent` where there was none. */
export type AttemptEnd = 'delivered' | 'failed' | 'gone' | 'unsent';

/** The deliveries that this process has leased and not finished: in flight, or waiting for that. */
export interface Dispatcher {
  /** Sends leased deliveries as soon as the limits let them. */
  send(claims: readonly Claim[]): void;
  /** An attempt is over. */
  ended(claim: Claim, how: AttemptEnd): void;
  /** Gives up what has waited for too long. To be called several times a second. */
  giveUpOverdue(): void;
  /** Returns the waiting deliveries of one endpoint, which has changed, or of all endpoints. */
  drop(endpointId?: number): void;
  inFlight(): number;
}

interface Waiting {
  claim: Claim;
  taker: Taker;
  since: number;
}

export const takerOf = (claim: Pick<Claim, 'tenant_id' | 'endpoint_id'>): Taker => ({
  tenantId: claim.tenant_id,
  endpointId: claim.endpoint_id,
});

const byDue = ({ claim: a }: Waiting, { claim: b }: Waiting) => a.due_at_ms - b.due_at_ms || a.id - b.id;

/**
 * @param options.start begins an attempt; `ended` is called at its end
 * @param options.giveUp is given what nobody sends any more
 * @param options.holdBack is called for an endpoint that is slow or fails, before its deliveries are returned
 */
export function createDispatcher(options: {
  limits: Limits;
  start: (claim: Claim) => void;
  giveUp: (claims: readonly Claim[]) => void;
  holdBack: (taker: Taker, why: HeldBackFor) => void;
}): Dispatcher {
  const { start, giveUp, holdBack } = options;
  const inFlight = createConcurrencyLimits(options.limits);
  /** Endpoint id → its claims, the longest due first; endpoints in the order of their turns. */
  const waiting = new Map<number, Waiting[]>();
  /** Tenant id → how many of its claims wait. */
  const waitingOfTenant = new Map<number, number>();
  /** Endpoint id → how many of its attempts have failed since one succeeded. */
  const failing = new Map<number, number>();

  /** Usually none may, and then no endpoint needs to be tried. */
  const mayAnyTenantSend = () => {
    for (const tenantId of waitingOfTenant.keys()) if (inFlight.leftForTenant(tenantId) > 0) return true;
    return false;
  };
  /** Of the endpoints that have waited longest for their turn, the first that may. */
  const startOne = () => {
    if (inFlight.free() <= 0 || !mayAnyTenantSend()) return false;
    const oldest = performance.now() - MAX_AGE_MS;
    for (const [endpointId, queue] of waiting) {
      const { claim, taker, since } = queue[0] as Waiting;
      if (since < oldest || !inFlight.take(taker)) continue;
      queue.shift();
      addTo(waitingOfTenant, taker.tenantId, -1);
      waiting.delete(endpointId);
      if (queue.length > 0) waiting.set(endpointId, queue);
      start(claim);
      return true;
    }
    return false;
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
  const noteFailure = (claim: Claim, isGone: boolean) => {
    const { endpoint_id: endpointId, consecutive_failures } = claim;
    const failures = (failing.get(endpointId) ?? consecutive_failures) + 1;
    failing.set(endpointId, failures);
    if (!isGone && failures < FAILURES_TO_GIVE_UP) return;
    holdBack(takerOf(claim), 'failing');
    giveUp(takeOut(endpointId, () => true));
  };

  return {
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
    ended(claim, how) {
      if (how === 'delivered') failing.delete(claim.endpoint_id);
      else if (how !== 'unsent') noteFailure(claim, how === 'gone');
      inFlight.giveBack(takerOf(claim));
      while (startOne());
    },
    giveUpOverdue() {
      for (const id of failing.keys())
        if (inFlight.ofEndpoint(id) === 0 && !waiting.has(id)) failing.delete(id);
      const oldest = performance.now() - MAX_WAIT_MS;
      for (const endpointId of [...waiting.keys()]) {
        const overdue = takeOut(endpointId, (since) => since < oldest);
        const [first] = overdue;
        if (first) holdBack(takerOf(first), 'slow');
        giveUp(overdue);
      }
    },
    drop(endpointId) {
      const dropped = endpointId === undefined ? [...waiting.keys()] : [endpointId];
      giveUp(dropped.flatMap((id) => takeOut(id, () => true)));
    },
    inFlight: inFlight.inUse,
  };
}
