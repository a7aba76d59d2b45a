import { type Logger, loop, type Metrics, type Part } from '@frontdesk/service';
import type { ReceiverClient } from '../clients/receiver.client.ts';
import type { Lender } from '../data/event.repository.ts';
import type { EndpointHealth } from '../data/health.repository.ts';
import type { Claim, DeliveryQueue } from '../data/queue.repository.ts';
import { FAILURES_TO_OPEN } from '../domain/breaker.ts';
import { messageIdOf } from '../domain/payload.ts';
import type { RetrySchedule } from '../domain/retry.ts';
import { signatureHeaders } from '../domain/signature.ts';
import { judge } from '../domain/verdict.ts';
import { createCapacity, type Shares } from './capacity.ts';
import { createDeliveryMetrics } from './delivery-metrics.ts';
import { createResultWriter } from './result-writer.ts';

/** Looks this often even if nobody wakes it: for retries that have come due. */
const POLL_MS = 1_000;
/** Claimed at once, at most. */
const CLAIM_BATCH = 50;

export interface DeliveryEngine extends Part {
  start(): Promise<void>;
  /** Claims no more, lets what is under way finish within its deadline, and writes the results. */
  stop(): Promise<void>;
  /** There is something to deliver. */
  wake(): void;
  /** For deliveries that are born leased. */
  lender: Lender;
  /** Sends what was leased through `lender`. */
  send(claims: readonly Claim[]): void;
}

/**
 * Sends deliveries, as many as there is room for, and writes the results in batches; room comes back with the written
 * result, so that a slow database slows the claims down. It claims what is due, and gets what was leased as its event
 * came in. Any number of engines work on one queue.
 */
export function createDeliveryEngine(options: {
  queue: DeliveryQueue;
  health: EndpointHealth;
  receiver: ReceiverClient;
  schedule: RetrySchedule;
  shares: Shares;
  /** Whom this process's leases belong to; null while it may hold none. */
  owner: () => number | null;
  leaseMs: number;
  logger: Logger;
  metrics: Metrics;
}): DeliveryEngine {
  const { queue, receiver, schedule, shares, owner, leaseMs, logger } = options;
  const capacity = createCapacity(shares);
  const underWay = new Set<Promise<void>>();
  let isStopping = false;
  /** Where the last claim stopped for want of room: the next begins there, so that every endpoint gets its turn. */
  let afterEndpointId = 0;

  const results = createResultWriter({
    queue,
    health: options.health,
    logger,
    metrics: createDeliveryMetrics({
      metrics: options.metrics,
      inFlight: () => capacity.inFlight(),
      oldestDueSeconds: () => queue.oldestDueSeconds(),
    }),
    onWritten(written) {
      for (const { claim } of written) capacity.giveBack(claim.endpoint_id);
      if (hasBacklog) claims.wake();
      const nextMs = Math.min(...written.map(({ verdict }) => verdict.delayMs ?? POLL_MS));
      if (nextMs < POLL_MS) setTimeout(() => claims.wake(), nextMs).unref();
    },
  });
  /** Whether the last claim found as much as it asked for, or something waits for room to come back. */
  let hasBacklog = false;

  const deliver = async (claim: Claim) => {
    const body = Buffer.from(claim.body);
    const signature = signatureHeaders({
      id: messageIdOf(claim.event_id),
      body,
      secret: claim.secret,
      previousSecret: claim.previous_secret,
      timestampSeconds: Math.floor(Date.now() / 1_000),
    });
    const outcome = await receiver.post(claim.url, signature, body);
    const verdict = judge(outcome, claim.attempt_count + 1, schedule, Date.now());
    results.add({ claim, outcome, verdict });
  };

  const send = (claimed: readonly Claim[]) => {
    for (const claim of claimed) {
      const delivery = deliver(claim).finally(() => underWay.delete(delivery));
      underWay.add(delivery);
    }
  };

  const claims = loop({
    name: 'delivery engine',
    intervalMs: POLL_MS,
    logger,
    async run(signal) {
      const limit = Math.min(capacity.free(), CLAIM_BATCH);
      const leaseOwner = owner();
      hasBacklog = true;
      if (limit <= 0 || leaseOwner === null) return false;
      const beganAtFirst = afterEndpointId === 0;
      const claimed = await queue.claim({
        afterEndpointId,
        limit,
        perEndpoint: shares.perEndpoint,
        busy: capacity.busy(),
        fullTenants: capacity.fullTenants(),
        owner: leaseOwner,
      });
      if (signal.aborted) {
        await queue.release(claimed);
        return false;
      }
      // One claim may hold more of a tenant than its share.
      const { kept = [], surplus = [] } = Object.groupBy(claimed, (claim) =>
        capacity.take({ tenantId: claim.tenant_id, endpointId: claim.endpoint_id }) ? 'kept' : 'surplus',
      );
      send(kept);
      if (surplus.length > 0) await queue.release(surplus);
      // Of an endpoint or a tenant that has all of its places, this claim has seen nothing that waits.
      const isSomeoneFull = [...capacity.busy().values()].some((count) => count >= shares.perEndpoint);
      hasBacklog = claimed.length > 0 || isSomeoneFull || capacity.fullTenants().length > 0;
      const isFull = claimed.length === limit;
      afterEndpointId = isFull ? Math.max(...claimed.map((claim) => claim.endpoint_id)) : 0;
      return isFull ? capacity.free() > 0 : !beganAtFirst;
    },
  });

  return {
    name: 'delivery engine',
    async start() {
      await results.start();
      await claims.start();
    },
    async stop() {
      isStopping = true;
      await claims.stop();
      await Promise.all(underWay);
      try {
        await results.stop();
      } finally {
        await receiver.stop();
      }
    },
    wake: () => claims.wake(),
    lender: {
      take: ({ tenant_id, id, consecutive_failures }) =>
        consecutive_failures < FAILURES_TO_OPEN && capacity.take({ tenantId: tenant_id, endpointId: id }),
      giveBack: (endpointId) => capacity.giveBack(endpointId),
      owner: () => (isStopping ? null : owner()),
      leaseMs,
    },
    send,
  };
}
