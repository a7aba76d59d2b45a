import type { Database } from '@frontdesk/database';
import { type Logger, type Loop, loop } from '@frontdesk/service';
import { purgeCreatedCounts } from './created-appointments.repository.ts';

const INTERVAL_MS = 3_600_000;

/** Forgets how many appointments past days brought. */
export const createCreatedCounts = ({ database, logger }: { database: Database; logger: Logger }): Loop =>
  loop({
    name: 'created counts',
    intervalMs: INTERVAL_MS,
    logger,
    run: () => purgeCreatedCounts(database.system),
  });
