import { type Database, insertOperatorChange, type TenantTransaction } from '@frontdesk/database';
import type { Component, Logger, Metrics } from '@frontdesk/service';
import { disableEndpoint } from '../endpoints/endpoint.repository.ts';
import { endpointRecord } from '../endpoints/endpoint.rules.ts';
import type { FailedEndpoint } from '../endpoints/health.repository.ts';
import { claimDeliveries, oldestDueSeconds, queueCounts } from '../queue/queue.repository.ts';
import type { RetrySchedule } from '../queue/retry.rules.ts';
import type { ReceiverClient } from '../receivers/receiver.client.ts';
import type { SigningSecrets } from '../secrets/signing-secrets.cache.ts';
import { createClaimsWorker } from './claims.worker.ts';
import { createConcurrencyLimits, type Limits } from './concurrency.limits.ts';
import { createDeliveryMetrics } from './delivery-metrics.ts';
import { createDeliverySender } from './delivery-sender.ts';
import type { LeaseListener } from './lease-session.worker.ts';
import { createResultRecorder } from './result-recorder.ts';

/** How often the queue is looked at even if nobody wakes the engine: for retries that have come due. */
const POLL_MS = 1_000;

export interface DeliveryEngine extends Component, LeaseListener {
  /** Like `wake`, for what this process has queued: where it may not send it all, other processes are told. */
  queued(): void;
  start(): Promise<void>;
  /** Claims no more, lets what is in flight finish within its deadline, and writes the results. */
  stop(): Promise<void>;
}

/**
 * Claims deliveries that are due, sends them, and records the results: as many at once as the limits allow, each counted from its claim
 * to its written result, so that a slow database slows the claims down. Any number of engines work on one queue.
 */
export function createDeliveryEngine(options: {
  database: Pick<Database, 'system' | 'forTenantInBackground'>;
  receiver: ReceiverClient;
  secrets: SigningSecrets;
  schedule: RetrySchedule;
  limits: Limits;
  /** Whom this process's leases belong to; null while it may hold none. */
  owner: () => number | null;
  /** Tells other processes that there is more to deliver than this one may send. */
  announce: () => void;
  /** How long a claim holds at most: longer than an attempt and the writing of its result take. What is written later may be sent twice. */
  leaseMs: number;
  pollMs?: number;
  unsignedRetryMs?: number | undefined;
  logger: Logger;
  metrics: Metrics;
}): DeliveryEngine {
  const {
    receiver,
    secrets,
    schedule,
    owner,
    announce,
    leaseMs,
    pollMs = POLL_MS,
    unsignedRetryMs,
    logger,
  } = options;
  const { system, forTenantInBackground } = options.database;
  const metrics = createDeliveryMetrics({
    metrics: options.metrics,
    oldestDueSeconds: () => oldestDueSeconds(system),
    countQueue: () => queueCounts(system),
  });
  const recorder = createResultRecorder({
    system,
    disable: (failed) =>
      forTenantInBackground(failed.tenant_id).transaction((tx) => disableFailedEndpoint(tx, failed)),
    onRecorded: metrics.recorded,
    logger,
  });
  const sender = createDeliverySender({
    receiver,
    secrets,
    schedule,
    recorder,
    onUnsigned: metrics.unsigned,
    unsignedRetryMs,
    logger,
  });
  metrics.watchInFlight(sender.inFlight);
  const claims = createClaimsWorker({
    claim: (request) => claimDeliveries(system, request, leaseMs),
    limits: createConcurrencyLimits(options.limits),
    send: sender.send,
    returnLeases: recorder.returnLeases,
    announce,
    owner,
    pollMs,
    logger,
  });

  return {
    name: 'delivery engine',
    async start() {
      await recorder.start();
      await claims.start();
    },
    async stop() {
      await claims.stop();
      await sender.stop();
      await recorder.stop();
    },
    wake: claims.wake,
    queued: claims.queued,
    endpointChanged: claims.endpointChanged,
  };
}

/** Ends an endpoint for what it answered, and writes the event; unless it has been changed since, or is over already. */
async function disableFailedEndpoint(tx: TenantTransaction, failed: FailedEndpoint): Promise<void> {
  const row = await disableEndpoint(tx, failed);
  if (row === null) return;
  const data = { ...endpointRecord(row), disabled_reason: failed.reason };
  tx.emit('endpoint.disabled', { aggregateId: row.id, version: row.version, data });
  // For the audit log, and for those who have to know.
  const change = { actor: null, action: 'endpoint_disabled', subject: row.url, outcome: 'done' } as const;
  await insertOperatorChange(tx, change);
}
