import type { Database } from '@frontdesk/database';
import { type Logger, type Loop, loop, type Metrics } from '@frontdesk/service';
import { clearHolds, countAllOpenHolds } from './hold.repository.ts';

const INTERVAL_MS = 10_000;
/**
 * Clears away expired holds, and measures how many are open. Places are free without it: a booking that finds an expired hold clears it.
 */
export function createHoldsWorker(options: { database: Database; logger: Logger; metrics: Metrics }): Loop {
  const { database, logger, metrics } = options;
  metrics.watch({ name: 'holds_open', help: 'Open holds of all businesses.' }, () =>
    countAllOpenHolds(database.system),
  );
  return loop({
    name: 'holds',
    intervalMs: INTERVAL_MS,
    logger,
    run: () => clearHolds(database.system),
  });
}
