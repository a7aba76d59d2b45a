import { type Logger, loop, type Part } from '@frontdesk/service';
import type { DeliveryCount, DeliveryCounts } from '../data/delivery-counts.repository.ts';
import type { RecordedResult } from '../data/queue.repository.ts';
import { latencyBucket } from '../domain/latency.ts';

const WRITE_INTERVAL_MS = 1_000;
const HOUR_MS = 3_600_000;
const NO_LATENCY = -1;

export interface DeliveryCounter extends Part {
  /** Counts those of these results that ended their delivery, to be written soon. */
  note(results: readonly RecordedResult[]): void;
  start(): Promise<void>;
  /** Writes what is left. */
  stop(): Promise<void>;
}

/**
 * Counts what came to an end, beside the results: they wait for no count. A process that is killed takes the counts of its
 * last second along; the log itself is complete.
 */
export function createDeliveryCounter(options: { counts: DeliveryCounts; logger: Logger }): DeliveryCounter {
  const { counts, logger } = options;
  let unwritten = new Map<string, DeliveryCount>();
  let forgottenIn = '';

  const add = (count: DeliveryCount) => {
    const key = [count.tenantId, count.hour.getTime(), count.outcome, count.latencyBucket].join();
    const known = unwritten.get(key);
    if (known) known.deliveries += count.deliveries;
    else unwritten.set(key, count);
  };

  const write = async () => {
    const taken = [...unwritten.values()];
    if (taken.length === 0) return;
    unwritten = new Map();
    try {
      await counts.add(taken);
    } catch (error) {
      for (const count of taken) add(count);
      throw error;
    }
  };
  const forget = async () => {
    const hour = presentHour().toISOString();
    if (hour === forgottenIn) return;
    await counts.forget();
    forgottenIn = hour;
  };
  const worker = loop({
    name: 'delivery counts',
    intervalMs: WRITE_INTERVAL_MS,
    logger,
    async run() {
      await write();
      await forget();
      return false;
    },
  });

  return {
    name: worker.name,
    start: () => worker.start(),
    async stop() {
      await worker.stop();
      await write();
    },
    note(results) {
      const hour = presentHour();
      for (const { result, status, latencyMs } of results) {
        if (status !== 'delivered' && status !== 'failed') continue;
        const bucket = latencyMs === null ? NO_LATENCY : latencyBucket(latencyMs);
        add({
          tenantId: result.claim.tenant_id,
          hour,
          outcome: status,
          latencyBucket: bucket,
          deliveries: 1,
        });
      }
    },
  };
}

const presentHour = () => new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS);
