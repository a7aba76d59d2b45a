import type { Database } from '@frontdesk/database';
import { type Logger, type Loop, loop } from '@frontdesk/service';
import { findResumedEndpoint, parkAndResume, suspendEndpoints } from './suspension.repository.ts';

/** At which work is looked for that another process has left undone. */
const INTERVAL_MS = 5_000;

/**
 * Makes endpoints follow the suspension of their tenants. Endpoints of a suspended tenant are held: their deliveries wait, new
 * ones too. After the tenant is resumed, the backlog is parked, to be released as a replay is walked, while new deliveries go
 * out at once. All state is in the database, so any number of processes share the work.
 * It is woken when the projection of tenants has changed.
 */
export function createSuspensionsWorker(options: {
  database: Database;
  /** Deliveries of a resumed tenant are parked. */
  onParked: () => void;
  logger: Logger;
}): Loop {
  const { database, onParked, logger } = options;
  return loop({
    name: 'suspensions',
    intervalMs: INTERVAL_MS,
    logger,
    async run() {
      const held = await suspendEndpoints(database.system);
      if (held > 0) logger.info({ endpoints: held }, 'holding the endpoints of suspended tenants');
      const found = await findResumedEndpoint(database.system);
      if (found === null) return false;
      const isResumed = await database
        .forTenantInBackground(found.tenant_id)
        .transaction((tx) => parkAndResume(tx, found.id));
      if (isResumed) onParked();
      return isResumed;
    },
  });
}
