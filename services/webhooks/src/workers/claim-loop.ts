import { type Logger, type Loop, loop } from '@frontdesk/service';
import type { Claim, DeliveryQueue, Lease } from '../data/queue.repository.ts';
import type { PrefetchRoom } from '../domain/prefetch-room.ts';

/** Claimed at once, at most. */
const CLAIM_BATCH = 300;

export interface ClaimLoop extends Loop {
  /** There is room again. */
  roomFreed(): void;
  /** An endpoint has been changed: what is just being claimed for it goes by what it was. */
  forget(endpointId: number): void;
}

/** Claims what is due, as much as there is room for, whenever it is woken. */
export function createClaimLoop(options: {
  queue: DeliveryQueue;
  room: PrefetchRoom;
  send: (claims: readonly Claim[]) => void;
  giveBack: (leases: readonly Lease[]) => Promise<void>;
  /** Whom leases belong to; null while there may be none. */
  owner: () => number | null;
  /** Looks this often even if nobody wakes it: for retries that have come due. */
  pollMs: number;
  logger: Logger;
}): ClaimLoop {
  const { queue, room, send, giveBack, owner, pollMs, logger } = options;
  /** Where the last claim stopped for want of room: the next begins there, so that every endpoint gets its turn. */
  let afterEndpointId = 0;
  /** Whether something may wait that there was no room for at all. */
  let isOutOfRoom = false;
  /** Endpoints that have changed since the claim under way began. */
  const changed = new Set<number>();

  const claims = loop({
    name: 'claims',
    intervalMs: pollMs,
    maxBackoffMs: pollMs,
    logger,
    async run(signal) {
      const limit = Math.min(room.free(), CLAIM_BATCH);
      const claimant = owner();
      isOutOfRoom = limit <= 0;
      if (limit <= 0 || claimant === null) return false;
      room.refill();
      const beganAtFirst = afterEndpointId === 0;
      const roomThen = room.forClaim();
      changed.clear();
      const {
        claims: claimed,
        tooMuch,
        hasMore,
      } = await queue.claim({
        afterEndpointId,
        limit,
        room: roomThen,
        owner: claimant,
      });
      // Told to stop, or without its session, it may send none of it: others may be sending it already.
      const isVoid = signal.aborted || owner() !== claimant;
      const { kept = [], unsent = [] } = Object.groupBy(claimed, (claim) => {
        const taker = { tenantId: claim.tenant_id, endpointId: claim.endpoint_id };
        return !isVoid && !changed.has(claim.endpoint_id) && room.take(taker, claim.held) ? 'kept' : 'unsent';
      });
      send(kept);
      const unused = [...unsent, ...tooMuch];
      if (unused.length > 0) void giveBack(unused).then(() => claims.wake());
      if (isVoid) return false;
      room.noteClaimed(roomThen, claimed);
      afterEndpointId = hasMore ? Math.max(...claimed.map((claim) => claim.endpoint_id)) : 0;
      isOutOfRoom = room.free() <= 0;
      return hasMore ? !isOutOfRoom : room.refill() || !beganAtFirst || changed.size > 0;
    },
  });

  return {
    ...claims,
    roomFreed() {
      if (room.refill() || isOutOfRoom) claims.wake();
    },
    forget: (endpointId) => void changed.add(endpointId),
  };
}
