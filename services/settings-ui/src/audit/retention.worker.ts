import { AUDIT_RETENTION_DAYS } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type Component, type Logger, loop } from '@frontdesk/service';
import { purgeExpiredLinks } from '../accounts/expired-links.repository.ts';
import { purgeEntries } from './audit-entry.repository.ts';

const INTERVAL_MS = 60_000;

/** Removes entries of the audit log that are beyond the retention, and links that have expired. */
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
    async run() {
      const { system } = database;
      const haveMore = [await purgeEntries(system, AUDIT_RETENTION_DAYS), await purgeExpiredLinks(system)];
      return haveMore.includes(true);
    },
  });
