import type { Database } from '@frontdesk/database';
import { type Component, type Logger, loop } from '@frontdesk/service';
import { purgeMessages } from '../data/message-retention.repository.ts';

const INTERVAL_MS = 60_000;
/** Longer than others are kept: a later release may read them, and people look at them. */
const UNREADABLE_DAYS = 90;
/** Nobody asks for more than the present one. */
const DAY_COUNTS_DAYS = 7;

/** Removes messages that are past their time; what is yet to be read stays. */
export function createRetentionWorker(options: {
  database: Database;
  retentionDays: number;
  logger: Logger;
}): Component {
  const { database, retentionDays, logger } = options;
  const days = { settled: retentionDays, unreadable: UNREADABLE_DAYS, dayCounts: DAY_COUNTS_DAYS };
  return loop({
    name: 'retention',
    intervalMs: INTERVAL_MS,
    logger,
    run: () => purgeMessages(database.system, days),
  });
}
