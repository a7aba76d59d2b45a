import type { Database } from '@frontdesk/database';
import { type Component, type Logger, loop } from '@frontdesk/service';
import { cancelForEnded } from '../data/ended-endpoints.repository.ts';

const INTERVAL_MS = 1_000;

/** Cancels, batch by batch, the deliveries of endpoints that were deleted or disabled with a long backlog. */
export function createEndedEndpointsWorker(options: { database: Database; logger: Logger }): Component {
  return loop({
    name: 'ended endpoints',
    intervalMs: INTERVAL_MS,
    logger: options.logger,
    run: () => cancelForEnded(options.database),
  });
}
