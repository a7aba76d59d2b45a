import type { Database } from '@frontdesk/database';
import { type Component, type Logger, loop, type Metrics } from '@frontdesk/service';
import type { ReceiverClient } from '../clients/receiver.client.ts';
import { recordHealth } from '../data/health.repository.ts';
import {
  type AttemptResult,
  type Claim,
  claimDeliveries,
  type Lease,
  oldestDueSeconds,
  queueCounts,
  recordResults,
  releaseLeases,
} from '../data/queue.repository.ts';
import type { RetrySchedule } from '../domain/retry.ts';
import { judge } from '../domain/verdict.ts';
import type { Limits } from '../state/concurrency-limits.ts';
import { createLeaseLimits } from '../state/lease-limits.ts';
import type { SigningSecrets } from '../state/signing-secrets.ts';
import { disableFailedEndpoint } from '../use-cases/disable-failed-endpoint.ts';
import type { PreLeases } from '../use-cases/take-in-events.ts';
import { endAttemptSpan, startAttemptSpan } from './attempt-span.ts';
import { createBatchWriter } from './batch-writer.ts';
import { createClaimsWorker } from './claims.worker.ts';
import { createDeliveryCounter } from './delivery-counter.ts';
import { createDeliveryMetrics } from './delivery-metrics.ts';
import { createDispatcher, MAX_WAIT_MS, takerOf } from './dispatcher.ts';
import { createHealthWriter } from './health-writer.ts';
import { createSigner } from './signer.ts';

/** How often the queue is looked at even if nobody wakes the engine: for retries that have come due. */
const POLL_MS = 1_000;
/** How often deliveries are looked for that have waited for too long. */
const LOOK_MS = MAX_WAIT_MS / 4;
/** When a delivery that this process can't sign is tried again, by whichever process. */
const UNSIGNED_RETRY_MS = 30_000;
/** Of one statement: a result carries up to 16 KiB of answer. */
const RESULTS = { maxItems: 200, gatherMs: 10 };
const RETURNED_LEASES = { maxItems: 1_000, gatherMs: 0 };

export interface DeliveryEngine extends Component, PreLeases {
  start(): Promise<void>;
  /** Claims no more, lets what is in flight finish within its deadline, and writes the results. */
  stop(): Promise<void>;
  /** There is something to deliver. */
  wake(): void;
  /** Sends nothing more of what is leased: others may be sending it. */
  leasesLost(): void;
  /** An endpoint has been changed or has ended: its deliveries in memory are based on its old state. */
  forget(endpointId: number): void;
}

/** A lease that ends without an attempt. */
interface Returned extends Lease {
  delayMs: number;
  /** Null where it was not counted yet. */
  claim: Claim | null;
}

/**
 * Sends deliveries, as many at once as the limits let it, and writes the results in batches. What a delivery held is free again only with
 * its written result, so that a slow database slows the claims down. It claims what is due, and sends what was pre-leased as its event
 * came in. Any number of engines work on one queue.
 */
export function createDeliveryEngine(options: {
  database: Pick<Database, 'system' | 'forTenantInBackground'>;
  receiver: ReceiverClient;
  secrets: SigningSecrets;
  schedule: RetrySchedule;
  /** Of what is in flight. */
  limits: Limits;
  /** Whom this process's leases belong to; null while it may hold none. */
  owner: () => number | null;
  /** How long a claim holds at most: longer than an attempt and the writing of its result can take. */
  leaseMs: number;
  pollMs?: number;
  unsignedRetryMs?: number | undefined;
  logger: Logger;
  metrics: Metrics;
}): DeliveryEngine {
  const { receiver, secrets, schedule, owner, leaseMs, logger } = options;
  const { system, forTenantInBackground } = options.database;
  const { pollMs = POLL_MS, unsignedRetryMs = UNSIGNED_RETRY_MS } = options;
  const sign = createSigner({ secrets, logger });
  const leases = createLeaseLimits(options.limits);
  const attempts = new Set<Promise<void>>();
  let isStopping = false;

  const metrics = createDeliveryMetrics({
    metrics: options.metrics,
    inFlight: () => dispatcher.inFlight(),
    oldestDueSeconds: () => oldestDueSeconds(system),
    countQueue: () => queueCounts(system),
  });
  const release = (over: readonly Claim[]) => {
    let isClaimWorthwhile = false;
    for (const claim of over)
      isClaimWorthwhile = leases.giveBack(takerOf(claim), claim.held) || isClaimWorthwhile;
    if (isClaimWorthwhile) claims.wake();
  };

  const returns = createBatchWriter<Returned>({
    ...{ name: 'returned leases', ...RETURNED_LEASES, logger },
    async write(returned) {
      await releaseLeases(system, returned);
      for (const lease of returned) leases.queued(takerOf(lease));
      release(returned.flatMap(({ claim }) => claim ?? []));
      claims.wake();
    },
    onRefused: ({ claim }) => release(claim ? [claim] : []),
  });
  const giveUp = (unsent: readonly Claim[], delayMs = 0) =>
    returns.add(unsent.map((claim) => ({ ...claim, delayMs, claim })));

  const health = createHealthWriter({
    record: (reports) => recordHealth(system, reports),
    disable: (failed) =>
      forTenantInBackground(failed.tenant_id).transaction((tx) => disableFailedEndpoint(tx, failed)),
    logger,
    // Failed deliveries count against the limits until claims know of the failure.
    onFailuresWritten: (failures) => release(failures.map(({ claim }) => claim)),
  });
  const counter = createDeliveryCounter({ system, logger });
  const results = createBatchWriter<AttemptResult>({
    ...{ name: 'delivery results', ...RESULTS, logger },
    async write(batch) {
      const recorded = await recordResults(system, batch);
      metrics.recorded(batch, recorded);
      counter.note(recorded);
      const held = new Set(recorded.map(({ result }) => result));
      health.note([...held]);
      const isOver = (result: AttemptResult) => !held.has(result) || result.outcome.errorClass === null;
      release(batch.filter(isOver).map(({ claim }) => claim));
      const nextMs = Math.min(...recorded.map(({ result }) => result.verdict.delayMs ?? pollMs));
      if (nextMs < pollMs) setTimeout(() => claims.wake(), nextMs).unref();
    },
    onRefused: ({ claim }) => release([claim]),
  });

  /** Null where it can't be signed. */
  const post = async (claim: Claim) => {
    const signature = sign(claim);
    if (!signature) return null;
    const span = startAttemptSpan(claim);
    const outcome = await receiver.post(claim.url, signature, claim.body);
    if (span) endAttemptSpan(span, outcome);
    return outcome;
  };
  const attempt = async (claim: Claim) => {
    const outcome = await post(claim);
    if (outcome === null) {
      // The operator lacks a key here: the endpoint is not to blame, and another process may have it.
      metrics.unsigned();
      giveUp([claim], unsignedRetryMs);
      return dispatcher.ended(claim, 'unsent');
    }
    const verdict = judge(outcome, claim.attempt_count + 1, schedule, Date.now());
    results.add([{ claim, outcome, verdict }]);
    if (verdict.disablesEndpoint) dispatcher.ended(claim, 'gone');
    else dispatcher.ended(claim, outcome.errorClass === null ? 'delivered' : 'failed');
  };
  const dispatcher = createDispatcher({
    limits: options.limits,
    start(claim) {
      const delivery = attempt(claim).finally(() => attempts.delete(delivery));
      attempts.add(delivery);
    },
    giveUp,
    holdBack: leases.holdBack,
  });
  const send = (leased: readonly Claim[]) => {
    // At a stop nobody would write their results any more.
    if (isStopping) giveUp(leased);
    else dispatcher.send(leased);
  };
  const claims = createClaimsWorker({
    ...{ leases, send, owner, pollMs, logger },
    claim: (request) => claimDeliveries(system, request, leaseMs),
    giveBack: (vain) => returns.add(vain.map((lease) => ({ ...lease, delayMs: 0, claim: null }))),
  });
  const overdue = loop({
    name: 'overdue deliveries',
    intervalMs: LOOK_MS,
    logger,
    async run() {
      dispatcher.giveUpOverdue();
      return false;
    },
  });

  return {
    name: 'delivery engine',
    async start() {
      for (const component of [health, counter, results, returns, overdue, claims]) await component.start();
    },
    async stop() {
      await claims.stop();
      await overdue.stop();
      isStopping = true;
      dispatcher.drop();
      await Promise.all(attempts);
      for (const writer of [results, health, counter, returns]) await writer.stop();
      await receiver.stop();
    },
    wake: () => claims.wake(),
    leasesLost: () => dispatcher.drop(),
    forget(endpointId) {
      claims.forget(endpointId);
      dispatcher.drop(endpointId);
    },
    owner: () => (isStopping ? null : owner()),
    leaseMs,
    take: ({ endpoint: { tenant_id, id }, held }) =>
      leases.preLease({ tenantId: tenant_id, endpointId: id }, held),
    giveBack({ endpoint: { tenant_id, id }, held }) {
      if (leases.giveBack({ tenantId: tenant_id, endpointId: id }, held)) claims.wake();
    },
    send,
  };
}
