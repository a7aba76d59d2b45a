import type { Database } from '@frontdesk/database';
import { type Component, type Logger, loop } from '@frontdesk/service';
import { cancelForEnded, findEndedEndpoint } from './ended-endpoints.repository.ts';

const INTERVAL_MS = 1_000;

/** Cancels, batch by batch, the deliveries of endpoints that were deleted or disabled with a long backlog. */
export function createEndedEndpointsWorker(options: { database: Database; logger: Logger }): Component {
  const { system, forTenantInBackground } = options.database;
  return loop({
    name: 'ended endpoints',
    intervalMs: INTERVAL_MS,
    logger: options.logger,
    async run() {
      const found = await findEndedEndpoint(system);
      if (found === null) return false;
      return forTenantInBackground(found.tenant_id).transaction((tx) =>
        cancelForEnded(tx, found.endpoint_id),
      );
    },
  });
}
