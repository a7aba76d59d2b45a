import { AUDIT_RETENTION_DAYS } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type Component, type Logger, loop } from '@frontdesk/service';
import { purgeEntries } from './audit-entry.repository.ts';

const INTERVAL_MS = 60_000;

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
    run: () => purgeEntries(database.system, AUDIT_RETENTION_DAYS),
  });
