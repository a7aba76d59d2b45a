import type { SystemScope } from '@frontdesk/database';
import type { Logger } from '@frontdesk/service';
import { addCounts, type DeliveryCountRow } from '../deliveries/delivery-counts.repository.ts';
import { latencyBucket } from '../deliveries/latency.rules.ts';
import type { RecordedResult } from '../queue/queue.repository.ts';
import { createBatchWriter } from './batch-writer.ts';

const WRITE_INTERVAL_MS = 1_000;
const BATCH_COUNTS = 5_000;
const HOUR_MS = 3_600_000;
const NO_LATENCY = -1;

/**
 * Counts what came to an end, beside the results: they wait for no count. A process that is killed takes the counts of its
 * last second along; the log itself is complete.
 */
export function createDeliveryCounter(options: { system: SystemScope; logger: Logger }) {
  const writer = createBatchWriter<DeliveryCountRow>({
    name: 'delivery counts',
    maxItems: BATCH_COUNTS,
    gatherMs: WRITE_INTERVAL_MS,
    merge: added,
    async write(counted) {
      await addCounts(options.system, counted);
    },
    onRefused: () => {},
    logger: options.logger,
  });
  return {
    start: writer.start,
    stop: writer.stop,
    /** Counts those of these results that ended their delivery, to be written soon. */
    note(results: readonly RecordedResult[]) {
      const hour = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS);
      const counted = results.flatMap(({ result, status, latencyMs }): DeliveryCountRow[] => {
        if (status !== 'delivered' && status !== 'failed') return [];
        const latency_bucket = latencyMs === null ? NO_LATENCY : latencyBucket(latencyMs);
        const { tenant_id } = result.claim;
        return [{ tenant_id, hour, outcome: status, latency_bucket, deliveries: 1 }];
      });
      writer.add(counted);
    },
  };
}

/** Those of one kind as one. */
function added(counted: readonly DeliveryCountRow[]): DeliveryCountRow[] {
  const kinds = Map.groupBy(counted, ({ tenant_id, hour, outcome, latency_bucket }) =>
    [tenant_id, hour.getTime(), outcome, latency_bucket].join(),
  );
  return [...kinds.values()].map((same) => ({
    ...(same[0] as DeliveryCountRow),
    deliveries: same.reduce((sum, { deliveries }) => sum + deliveries, 0),
  }));
}
