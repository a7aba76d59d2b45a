import { type Logger, type Loop, loop } from '@frontdesk/service';
import type { Claim, Claimed, ClaimRequest, Lease } from '../data/queue.repository.ts';
import type { LeaseLimits } from '../state/lease-limits.ts';
import { takerOf } from './dispatcher.ts';

/** Claimed at once, at most. */
const CLAIM_BATCH = 300;

export interface ClaimsWorker extends Loop {
  /** An endpoint has been changed: what is just being claimed for it goes by what it was. */
  forget(endpointId: number): void;
}

/** Claims what is due, as much as may be leased, whenever it is woken. */
export function createClaimsWorker(options: {
  claim: (request: ClaimRequest) => Promise<Claimed>;
  leases: LeaseLimits;
  send: (claims: readonly Claim[]) => void;
  /** Of leases that were claimed in vain. */
  giveBack: (leases: readonly Lease[]) => void;
  /** Whom leases belong to; null while there may be none. */
  owner: () => number | null;
  /** Looks this often even if nobody wakes it: for retries that have come due. */
  pollMs: number;
  logger: Logger;
}): ClaimsWorker {
  const { claim, leases, send, giveBack, owner, pollMs, logger } = options;
  /** Where the last claim reached its limit: the next one begins there, so that every endpoint gets its turn. */
  let afterEndpointId = 0;
  /** Fewer where a claim has brought more than its bytes allow, until claims bring less again. */
  let batch = CLAIM_BATCH;
  /** Endpoints that have changed since the claim under way began. */
  const changed = new Set<number>();

  const claims = loop({
    name: 'claims',
    intervalMs: pollMs,
    maxBackoffMs: pollMs,
    logger,
    async run(signal) {
      const limit = Math.min(leases.free(), batch);
      const claimant = owner();
      if (limit <= 0 || claimant === null) return false;
      const after = afterEndpointId;
      const limits = leases.forClaim();
      changed.clear();
      const {
        claims: claimed,
        tooMuch,
        hasMore,
      } = await claim({ afterEndpointId: after, limit, limits, owner: claimant });
      batch = tooMuch.length > 0 ? claimed.length : Math.min(2 * batch, CLAIM_BATCH);
      // Told to stop, or without its session, it may send none of it: others may be sending it already.
      const isVoid = signal.aborted || owner() !== claimant;
      const { kept = [], unsent = [] } = Object.groupBy(claimed, (claim) =>
        !isVoid && !changed.has(claim.endpoint_id) && leases.claim(takerOf(claim), claim.held)
          ? 'kept'
          : 'unsent',
      );
      send(kept);
      const vain = [...unsent, ...tooMuch];
      giveBack(vain);
      if (isVoid) return false;
      const last = hasMore
        ? Math.max(...claimed.map((claim) => claim.endpoint_id))
        : Number.POSITIVE_INFINITY;
      leases.noteClaimed(limits, claimed.map(takerOf), (id) => id > after && id < last);
      for (const lease of vain) leases.queued(takerOf(lease));
      afterEndpointId = hasMore ? last : 0;
      return hasMore ? leases.free() > 0 : after > 0 || changed.size > 0;
    },
  });

  return { ...claims, forget: (endpointId) => void changed.add(endpointId) };
}
