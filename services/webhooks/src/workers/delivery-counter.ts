import type { Logger } from '@frontdesk/service';
import type { DeliveryCount, DeliveryCounts } from '../data/delivery-counts.repository.ts';
import type { RecordedResult } from '../data/queue.repository.ts';
import { latencyBucket } from '../domain/latency.ts';
import { type BatchWriter, createBatchWriter } from './batch-writer.ts';

const WRITE_INTERVAL_MS = 1_000;
const BATCH_COUNTS = 5_000;
const HOUR_MS = 3_600_000;
const NO_LATENCY = -1;

export interface DeliveryCounter extends Pick<BatchWriter<never>, 'start' | 'stop'> {
  /** Counts those of these results that ended their delivery, to be written soon. */
  note(results: readonly RecordedResult[]): void;
}

/**
 * Counts what came to an end, beside the results: they wait for no count. A process that is killed takes the counts of its
 * last second along; the log itself is complete.
 */
export function createDeliveryCounter(options: { counts: DeliveryCounts; logger: Logger }): DeliveryCounter {
  const writer = createBatchWriter<DeliveryCount>({
    name: 'delivery counts',
    maxItems: BATCH_COUNTS,
    gatherMs: WRITE_INTERVAL_MS,
    merge: added,
    write: (counted) => options.counts.add(counted),
    onRefused: () => {},
    logger: options.logger,
  });
  return {
    start: writer.start,
    stop: writer.stop,
    note(results) {
      const hour = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS);
      const counted = results.flatMap(({ result, status, latencyMs }): DeliveryCount[] => {
        if (status !== 'delivered' && status !== 'failed') return [];
        const bucket = latencyMs === null ? NO_LATENCY : latencyBucket(latencyMs);
        const { tenant_id: tenantId } = result.claim;
        return [{ tenantId, hour, outcome: status, latencyBucket: bucket, deliveries: 1 }];
      });
      writer.add(counted);
    },
  };
}

/** Those of one kind as one. */
function added(counted: readonly DeliveryCount[]): DeliveryCount[] {
  const kinds = Map.groupBy(counted, (count) =>
    [count.tenantId, count.hour.getTime(), count.outcome, count.latencyBucket].join(),
  );
  return [...kinds.values()].map((same) => ({
    ...(same[0] as DeliveryCount),
    deliveries: same.reduce((sum, { deliveries }) => sum + deliveries, 0),
  }));
}
