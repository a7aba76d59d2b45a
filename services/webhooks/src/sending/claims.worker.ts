import { type Logger, type Loop, loop } from '@frontdesk/service';
import type { Claim, Claimed, ClaimRequest, Lease } from '../queue/queue.repository.ts';
import type { ConcurrencyLimits, EndpointOfTenant } from './concurrency.limits.ts';

/** Claimed at once, at most. */
const CLAIM_BATCH = 300;

export interface ClaimsWorker extends Loop {
  /** Deliveries have been queued by this process: where it has no room to send them all, others are told. */
  queued(): void;
  /** An endpoint has been changed: what is just being claimed for it goes by what it was. */
  endpointChanged(endpointId: number): void;
}

const endpointOf = ({ tenant_id, endpoint_id }: Lease): EndpointOfTenant => ({
  tenantId: tenant_id,
  endpointId: endpoint_id,
});

/** @returns of the ids, of which there is one at least, the one that comes last in a circle that begins with `from` */
function lastInCircle(ids: readonly number[], from: number): number {
  const wrapped = ids.filter((id) => id < from);
  return Math.max(...(wrapped.length > 0 ? wrapped : ids));
}

/**
 * Claims what is due, as much as may be sent at once, whenever it is woken: by new deliveries, and by the end of one whose tenant may
 * have more that is due. Tenants' endpoints take turns.
 */
export function createClaimsWorker(options: {
  claim: (request: ClaimRequest) => Promise<Claimed>;
  limits: ConcurrencyLimits;
  /** Resolves once the result is written, with the time until the delivery is due again: null where it has ended. */
  send: (claim: Claim) => Promise<number | null>;
  /** Of leases that were claimed in vain. */
  returnLeases: (leases: readonly Lease[]) => Promise<unknown>;
  /** Tells other processes that there is more to deliver than this one has room to send. */
  announce: () => void;
  /** Whom leases belong to; null while there may be none. */
  owner: () => number | null;
  /** Looks this often even if nobody wakes it: for retries that have come due. */
  pollMs: number;
  logger: Logger;
}): ClaimsWorker {
  const { claim, limits, send, returnLeases, announce, owner, pollMs, logger } = options;
  /** Where the next claim begins: behind the last tenant of the claim that filled its limit, so that each gets its turn. */
  let fromTenantId = 1;
  /** Fewer where a claim has brought more than its bytes allow, until claims bring less again. */
  let batch = CLAIM_BATCH;
  /** Endpoints that have changed since the claim under way began. */
  const changed = new Set<number>();
  /** Tenants that may have more that is due: the end of one of their deliveries wakes a claim. */
  const withMore = new Set<number>();
  /** Tenant id → its endpoint that had the last turn; of those with more. */
  const turns = new Map<number, number>();
  /** There may be more that is due, of any tenant. */
  let mayHaveMore = false;
  /** This process has queued something that it may have no room to send. */
  let hasQueued = false;

  const sendOne = async (claimed: Claim) => {
    const { tenantId } = endpointOf(claimed);
    const delayMs = await send(claimed);
    limits.giveBack(endpointOf(claimed), claimed.body.length);
    if (mayHaveMore || withMore.has(tenantId)) worker.wake();
    if (delayMs !== null && delayMs < pollMs) setTimeout(() => worker.wake(), delayMs).unref();
  };
  /** @param isWhole whether the claim has looked at all endpoints */
  const noteMore = (found: ReadonlySet<number>, isWhole: boolean) => {
    for (const tenantId of isWhole ? withMore.difference(found) : []) {
      withMore.delete(tenantId);
      turns.delete(tenantId);
    }
    for (const tenantId of found) withMore.add(tenantId);
  };
  const noteTurns = (brought: readonly Lease[]) => {
    for (const [tenantId, leases] of Map.groupBy(brought, ({ tenant_id }) => tenant_id)) {
      if (!withMore.has(tenantId)) continue;
      const ids = leases.map(({ endpoint_id }) => endpoint_id);
      turns.set(tenantId, lastInCircle(ids, (turns.get(tenantId) ?? 0) + 1));
    }
  };

  const worker = loop({
    name: 'claims',
    intervalMs: pollMs,
    maxBackoffMs: pollMs,
    logger,
    async run(signal) {
      const limit = Math.min(limits.free(), batch);
      const claimant = owner();
      const hadQueued = hasQueued;
      hasQueued = false;
      mayHaveMore = limit <= 0;
      if (mayHaveMore || claimant === null) {
        if (hadQueued) announce();
        return false;
      }
      const asked = limits.forClaim();
      changed.clear();
      // Noted before the claim: the end of one of their deliveries meanwhile must wake another.
      for (const tenantId of asked.full) withMore.add(tenantId);
      const request = { fromTenantId, limit, limits: asked, turns, owner: claimant };
      const {
        claims: claimed,
        tooMuch,
        unfinished,
        hasMore,
      } = await claim(request).catch((error) => {
        hasQueued ||= hadQueued;
        throw error;
      });
      batch = tooMuch.length > 0 ? claimed.length : Math.min(2 * batch, CLAIM_BATCH);
      // Told to stop, or without its session, it may send none of it: others may be sending it already.
      const isVoid = signal.aborted || owner() !== claimant;
      const mayBeSent = (one: Claim) =>
        !isVoid && !changed.has(one.endpoint_id) && limits.take(endpointOf(one), one.body.length);
      const { kept = [], unsent = [] } = Object.groupBy(claimed, (one) =>
        mayBeSent(one) ? 'kept' : 'unsent',
      );
      for (const one of kept) void sendOne(one);
      const vain = [...unsent, ...tooMuch];
      if (vain.length > 0) void returnLeases(vain).then(() => worker.wake());
      if (isVoid) return false;
      mayHaveMore = hasMore;
      const found = asked.full.union(unfinished);
      for (const { tenant_id } of unsent) found.add(tenant_id);
      if (hasMore) {
        const last = lastInCircle(
          claimed.map(({ tenant_id }) => tenant_id),
          fromTenantId,
        );
        // The limit may have ended the claim in the middle of its endpoints.
        found.add(last);
        fromTenantId = last + 1;
      }
      noteMore(found, !hasMore);
      noteTurns(kept);
      if (hadQueued && (hasMore || found.size > 0)) announce();
      return hasMore ? limits.free() > 0 : changed.size > 0;
    },
  });

  return {
    ...worker,
    queued() {
      hasQueued = true;
      worker.wake();
    },
    endpointChanged: (endpointId) => void changed.add(endpointId),
  };
}
