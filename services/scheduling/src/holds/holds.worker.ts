import type { Database } from '@frontdesk/database';
import { type Logger, type Loop, loop, type Metrics } from '@frontdesk/service';
import { clearHolds, countAllOpenHolds } from './hold.repository.ts';

const INTERVAL_MS = 10_000;
/**
 * Clears away expired holds: their places are free without it, as whoever finds one in the way clears it. Measures how many are open.
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
