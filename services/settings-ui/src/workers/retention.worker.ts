import type { Database } from '@frontdesk/database';
import { type Component, type Logger, loop } from '@frontdesk/service';
import { purgeEntries } from '../data/audit-entry.repository.ts';

const INTERVAL_MS = 60_000;
/** How long an entry of the audit log is kept. */
const RETENTION_DAYS = 400;

/** Removes entries of the audit log that are beyond the retention. */
export const createRetentionWorker = ({
  database,
  logger,
}: {
  database: Database;
  logger: Logger;
}): Component =>
  loop({
    name: 'retention',
    intervalMs: INTERVAL_MS,
    logger,
    run: () => purgeEntries(database.system, RETENTION_DAYS),
  });
