import { type Logger, loop, type Metrics, type Part } from '@frontdesk/service';
import type { ReceiverClient } from '../clients/receiver.client.ts';
import type { DeliveryCounts } from '../data/delivery-counts.repository.ts';
import type { Lender } from '../data/event.repository.ts';
import type { EndpointHealth } from '../data/health.repository.ts';
import type { AttemptResult, Claim, DeliveryQueue } from '../data/queue.repository.ts';
import { FAILURES_TO_OPEN } from '../domain/breaker.ts';
import type { Shares } from '../domain/concurrency-limits.ts';
import type { RetrySchedule } from '../domain/retry.ts';
import type { SigningSecrets } from '../domain/signing-secrets.ts';
import { MAX_WAIT_MS } from '../domain/slow-receivers.ts';
import { createUnsignedEndpoints } from '../domain/unsigned-endpoints.ts';
import { attemptDelivery } from './attempt-delivery.ts';
import { createClaimLoop } from './claim-loop.ts';
import { createDeliveryCounter } from './delivery-counter.ts';
import { createDeliveryMetrics } from './delivery-metrics.ts';
import { createHealthWriter } from './health-writer.ts';
import { createLeaseReturns } from './lease-returns.ts';
import { createPrefetch } from './prefetch.ts';
import { createResultWriter } from './result-writer.ts';
import { createSigner } from './signer.ts';

/** How often the queue is looked at even if nobody wakes the engine: for retries that have come due. */
const POLL_MS = 1_000;
/** How often deliveries are looked for that have waited for too long. */
const LOOK_MS = MAX_WAIT_MS / 4;

export interface DeliveryEngine extends Part {
  start(): Promise<void>;
  /** Claims no more, lets what is under way finish within its deadline, and writes the results. */
  stop(): Promise<void>;
  /** There is something to deliver. */
  wake(): void;
  /** An endpoint has been changed, or is over: what waits here for it goes by what it was. */
  forget(endpointId: number): void;
  /** For deliveries that are born leased. */
  lender: Lender;
  /** Sends what was leased through `lender`. */
  send(claims: readonly Claim[]): void;
}

/**
 * Sends deliveries, as many as there are places for, and writes the results in batches; room for others comes back with the
 * written result, so that a slow database slows the claims down. It claims what is due, and gets what was leased as its
 * event came in. Any number of engines work on one queue.
 */
export function createDeliveryEngine(options: {
  queue: DeliveryQueue;
  health: EndpointHealth;
  counts: DeliveryCounts;
  receiver: ReceiverClient;
  secrets: SigningSecrets;
  schedule: RetrySchedule;
  shares: Shares;
  /** Whom this process's leases belong to; null while it may hold none. */
  owner: () => number | null;
  leaseMs: number;
  pollMs?: number;
  logger: Logger;
  metrics: Metrics;
}): DeliveryEngine {
  const { queue, receiver, secrets, schedule, owner, leaseMs, pollMs = POLL_MS, logger } = options;
  const sign = createSigner({ secrets, logger });
  const unsigned = createUnsignedEndpoints();
  const underWay = new Set<Promise<void>>();
  let isStopping = false;
  let leaseOwner = owner();

  const metrics = createDeliveryMetrics({
    metrics: options.metrics,
    inFlight: () => prefetch.underWay(),
    oldestDueSeconds: () => queue.oldestDueSeconds(),
  });
  /** Without an attempt having been made: whoever runs the service lacks a key, and the endpoint is not to blame. */
  const leaveToOthers = async (claim: Claim) => {
    metrics.unsigned();
    unsigned.note(claim.endpoint_id);
    prefetch.ended(claim, 'refused');
    await returns.giveBack([claim]);
    prefetch.release(claim);
    claims.roomFreed();
  };
  const attempt = async (claim: Claim) => {
    const result = await attemptDelivery(claim, { receiver, sign, schedule });
    if (result === null) return leaveToOthers(claim);
    unsigned.forget(claim.endpoint_id);
    results.add(result);
    const { outcome, verdict } = result;
    if (verdict.disablesEndpoint) prefetch.ended(claim, 'refused');
    else prefetch.ended(claim, outcome.errorClass === null ? 'delivered' : 'failed');
  };
  const returns = createLeaseReturns({ queue, leaseMs, logger });
  const prefetch = createPrefetch({
    places: options.shares,
    start(claim) {
      const delivery = attempt(claim).finally(() => underWay.delete(delivery));
      underWay.add(delivery);
    },
    async giveUp(unsent) {
      await returns.giveBack(unsent);
      claims.roomFreed();
    },
  });
  const send = (claimed: readonly Claim[]) => {
    prefetch.send(claimed);
    // Nobody would write their results any more.
    if (isStopping) void prefetch.drop();
  };
  const overdue = loop({
    name: 'overdue deliveries',
    intervalMs: LOOK_MS,
    logger,
    async run() {
      // With its session a process has lost its leases: others may be sending what waits here.
      const isLost = leaseOwner !== null && leaseOwner !== owner();
      leaseOwner = owner();
      if (isLost) void prefetch.drop();
      else prefetch.tick();
      return false;
    },
  });
  const { giveBack } = returns;
  const room = { ...prefetch.room, forClaim: () => unsigned.limit(prefetch.room.forClaim()) };
  const claims = createClaimLoop({ queue, room, send, giveBack, owner, pollMs, logger });

  const release = (over: readonly AttemptResult[]) => {
    for (const { claim } of over) prefetch.release(claim);
    claims.roomFreed();
  };
  // What its endpoint failed at makes room only once the queue knows of it, and claims by that.
  const healthWriter = createHealthWriter({ health: options.health, logger, onFailuresWritten: release });
  const counter = createDeliveryCounter({ counts: options.counts, logger });
  const results = createResultWriter({
    queue,
    logger,
    metrics,
    onWritten({ recorded, voided }) {
      counter.note(recorded);
      const held = recorded.map(({ result }) => result);
      healthWriter.note(held);
      release([...held.filter(({ outcome }) => outcome.errorClass === null), ...voided]);
      const nextMs = Math.min(...held.map(({ verdict }) => verdict.delayMs ?? pollMs));
      if (nextMs < pollMs) setTimeout(() => claims.wake(), nextMs).unref();
    },
  });

  return {
    name: 'delivery engine',
    async start() {
      await healthWriter.start();
      await counter.start();
      await results.start();
      await returns.start();
      await overdue.start();
      await claims.start();
    },
    async stop() {
      await claims.stop();
      await overdue.stop();
      isStopping = true;
      const dropped = prefetch.drop();
      await returns.stop();
      await Promise.all([dropped, ...underWay]);
      try {
        await results.stop();
        await healthWriter.stop();
        await counter.stop();
      } finally {
        await receiver.stop();
      }
    },
    wake: () => claims.wake(),
    forget(endpointId) {
      claims.forget(endpointId);
      unsigned.forget(endpointId);
      void prefetch.drop(endpointId).then(() => claims.wake());
    },
    lender: {
      take: ({ endpoint: { tenant_id, id, consecutive_failures }, held }) =>
        consecutive_failures < FAILURES_TO_OPEN &&
        !unsigned.has(id) &&
        prefetch.room.lend({ tenantId: tenant_id, endpointId: id }, held),
      giveBack: ({ endpoint: { tenant_id, id }, held }) =>
        prefetch.room.giveBack({ tenantId: tenant_id, endpointId: id }, { body: held, isLent: true }),
      owner: () => (isStopping ? null : owner()),
      leaseMs,
    },
    send,
  };
}
