import { type Logger, loop, type Metrics, type Part } from '@frontdesk/service';
import type { ReceiverClient } from '../clients/receiver.client.ts';
import type { Claim, DeliveryQueue } from '../data/queue.repository.ts';
import { messageIdOf } from '../domain/payload.ts';
import type { RetrySchedule } from '../domain/retry.ts';
import { signatureHeaders } from '../domain/signature.ts';
import { judge } from '../domain/verdict.ts';
import { createCapacity } from './capacity.ts';
import { createDeliveryMetrics } from './delivery-metrics.ts';
import { createResultWriter } from './result-writer.ts';

/** Looks this often even if nobody wakes it: for retries that have come due and for leases of the dead. */
const POLL_MS = 1_000;

export interface DeliveryEngine extends Part {
  start(): Promise<void>;
  /** Claims no more, lets what is under way finish within its deadline, and writes the results. */
  stop(): Promise<void>;
  /** There is something to deliver. */
  wake(): void;
}

/**
 * Claims due deliveries for as many as there is room, sends each, and writes the results in batches; room comes back with
 * the written result, so that a slow database slows the claims down. Any number of engines work on one queue.
 */
export function createDeliveryEngine(options: {
  queue: DeliveryQueue;
  receiver: ReceiverClient;
  schedule: RetrySchedule;
  /** Deliveries under way at once, in all and to one endpoint. */
  concurrency: number;
  endpointConcurrency: number;
  logger: Logger;
  metrics: Metrics;
}): DeliveryEngine {
  const { queue, receiver, schedule, concurrency, endpointConcurrency, logger } = options;
  const capacity = createCapacity(concurrency);
  const underWay = new Set<Promise<void>>();
  /** Where the last claim stopped for want of room: the next begins there, so that every endpoint gets its turn. */
  let afterEndpointId = 0;

  const results = createResultWriter({
    queue,
    logger,
    metrics: createDeliveryMetrics({
      metrics: options.metrics,
      inFlight: () => capacity.inFlight(),
      oldestDueSeconds: () => queue.oldestDueSeconds(),
    }),
    onWritten(written) {
      for (const { claim } of written) capacity.giveBack(claim.endpoint_id);
      claims.wake();
      const nextMs = Math.min(...written.map(({ verdict }) => verdict.delayMs ?? POLL_MS));
      if (nextMs < POLL_MS) setTimeout(() => claims.wake(), nextMs).unref();
    },
  });

  const deliver = async (claim: Claim) => {
    const body = Buffer.from(claim.body);
    const signature = signatureHeaders({
      id: messageIdOf(claim.event_id),
      body,
      secret: claim.secret,
      timestampSeconds: Math.floor(Date.now() / 1_000),
    });
    const outcome = await receiver.post(claim.url, signature, body);
    const verdict = judge(outcome, claim.attempt_count + 1, schedule, Date.now());
    results.add({ claim, outcome, verdict });
  };

  const begin = (claim: Claim) => {
    capacity.take(claim.endpoint_id);
    const delivery = deliver(claim).finally(() => underWay.delete(delivery));
    underWay.add(delivery);
  };

  const claims = loop({
    name: 'delivery engine',
    intervalMs: POLL_MS,
    logger,
    async run(signal) {
      const limit = capacity.free();
      if (limit === 0) return false;
      const beganAtFirst = afterEndpointId === 0;
      const claimed = await queue.claim({
        afterEndpointId,
        limit,
        perEndpoint: endpointConcurrency,
        busy: capacity.busy(),
      });
      if (signal.aborted) {
        await queue.release(claimed);
        return false;
      }
      for (const claim of claimed) begin(claim);
      const isFull = claimed.length === limit;
      afterEndpointId = isFull ? Math.max(...claimed.map((claim) => claim.endpoint_id)) : 0;
      return !isFull && !beganAtFirst;
    },
  });

  return {
    name: 'delivery engine',
    async start() {
      await results.start();
      await claims.start();
    },
    async stop() {
      await claims.stop();
      await Promise.all(underWay);
      try {
        await results.stop();
      } finally {
        await receiver.stop();
      }
    },
    wake: () => claims.wake(),
  };
}
