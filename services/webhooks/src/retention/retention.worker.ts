import type { SystemScope } from '@frontdesk/database';
import { type Component, type Logger, loop, type Metrics } from '@frontdesk/service';
import { Counter } from 'prom-client';
import { purgeCounts } from '../deliveries/delivery-counts.repository.ts';
import { purgeDeletedEndpoints } from '../endpoints/ended-endpoints.repository.ts';
import { purgeSecrets } from '../secrets/stored-secret.repository.ts';
import { ensurePartitions, purgeDays } from './partition.repository.ts';

const INTERVAL_MS = 60_000;

/**
 * Keeps the daily partitions: creates those of the days ahead, drops those beyond the retention, and forgets old counts, secrets and deleted
 * endpoints. Logs and counts deliveries that are dropped unsent, because their tenant was suspended or their endpoint paused.
 */
export function createRetentionWorker(options: {
  system: SystemScope;
  retentionDays: number;
  logger: Logger;
  metrics: Metrics;
}): Component {
  const { system, retentionDays, logger } = options;
  const droppedTotal = new Counter({
    name: 'webhook_dropped_deliveries_total',
    help: 'Deliveries that waited for longer than RETENTION_DAYS and were dropped unsent.',
    registers: [options.metrics.registry],
  });
  let purgedUpTo = 0;
  return loop({
    name: 'retention',
    intervalMs: INTERVAL_MS,
    // Dropping waits for readers, a dump say, and others wait behind it: not more often than at other times.
    maxBackoffMs: INTERVAL_MS,
    logger,
    async run() {
      await ensurePartitions(system);
      // Before what waits for readers, and may fail.
      await purgeSecrets(system);
      const { dropped, hasMore } = await purgeDays(system, retentionDays);
      for (const { tenant_id, deliveries } of dropped) {
        droppedTotal.inc(deliveries);
        logger.info(
          { tenant_id, deliveries },
          'dropped deliveries that waited for longer than they are kept',
        );
      }
      await purgeCounts(system);
      purgedUpTo = await purgeDeletedEndpoints(system, purgedUpTo);
      return hasMore;
    },
  });
}
