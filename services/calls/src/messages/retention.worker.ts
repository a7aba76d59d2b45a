import { UNREADABLE_MESSAGE_RETENTION_DAYS } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type Component, type Logger, loop } from '@frontdesk/service';
import { purgeRefusedMessages } from '../sources/refused-message.repository.ts';
import { purgeMessages } from './call-message.repository.ts';
import { purgeMessageDays } from './call-message-day.repository.ts';

const INTERVAL_MS = 60_000;

/** Removes messages that are past their time; what is yet to be read stays. */
export function createRetentionWorker(options: {
  database: Database;
  retentionDays: number;
  logger: Logger;
}): Component {
  const { database, retentionDays, logger } = options;
  return loop({
    name: 'retention',
    intervalMs: INTERVAL_MS,
    logger,
    async run() {
      await purgeMessageDays(database.system);
      await purgeRefusedMessages(database.system, retentionDays);
      return purgeMessages(database.system, {
        settled: retentionDays,
        unreadable: UNREADABLE_MESSAGE_RETENTION_DAYS,
      });
    },
  });
}
