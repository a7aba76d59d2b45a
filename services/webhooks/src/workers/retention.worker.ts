import { type Logger, loop, type Part } from '@frontdesk/service';
import type { PartitionRepository } from '../data/partition.repository.ts';

const INTERVAL_MS = 60_000;

/** Keeps the daily partitions: those of the days ahead are there in time, those past their time are dropped. */
export function createRetentionWorker(options: {
  partitions: PartitionRepository;
  retentionDays: number;
  logger: Logger;
}): Part {
  const { partitions, retentionDays, logger } = options;
  return loop({
    name: 'retention',
    intervalMs: INTERVAL_MS,
    // Dropping waits for whoever reads, a dump say, and others wait behind it: not more often than at other times.
    maxBackoffMs: INTERVAL_MS,
    logger,
    async run() {
      await partitions.ensure();
      return partitions.forget(retentionDays);
    },
  });
}
