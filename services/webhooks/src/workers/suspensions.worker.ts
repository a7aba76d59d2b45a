import type { Database } from '@frontdesk/database';
import { type Logger, type Loop, loop } from '@frontdesk/service';
import {
  findReleasingEndpoint,
  findResumedEndpoint,
  parkAndResume,
  suspendEndpoints,
} from '../data/suspension.repository.ts';
import { releaseBatch } from '../use-cases/release-parked.ts';

/** Intervals at which work is looked for that another process has left undone. */
const HOLD_INTERVAL_MS = 5_000;
const RELEASE_INTERVAL_MS = 1_000;

/**
 * Makes endpoints follow the suspension of their tenants. Endpoints of a suspended tenant are held: their deliveries wait, new
 * ones too. After the tenant is resumed, the backlog is released, the oldest event first and at the rate of replays, while
 * new deliveries go out at once. All state is in the database, so any number of processes share the work.
 * It is woken when the projection of tenants has changed.
 */
export function createSuspensionsWorker(options: {
  database: Database;
  /** Most deliveries that are released a second, for each endpoint. */
  perSecond: number;
  /** Called after the commit that makes deliveries due. */
  onReleased: () => void;
  logger: Logger;
}): Loop {
  const { database, perSecond, onReleased, logger } = options;
  const releases = loop({
    name: 'releases',
    intervalMs: RELEASE_INTERVAL_MS,
    logger,
    async run() {
      const found = await findReleasingEndpoint(database.system);
      if (found === null) return false;
      const made = await database
        .forTenantInBackground(found.tenant_id)
        .transaction((tx) => releaseBatch(tx, found.id, perSecond));
      if (made === null) return false;
      if (made.released > 0) onReleased();
      if (made.delayMs !== null && made.delayMs < RELEASE_INTERVAL_MS)
        setTimeout(() => releases.wake(), made.delayMs).unref();
      return true;
    },
  });
  const suspensions = loop({
    name: 'suspensions',
    intervalMs: HOLD_INTERVAL_MS,
    logger,
    async run() {
      const held = await suspendEndpoints(database.system);
      if (held > 0) logger.info({ endpoints: held }, 'holding the endpoints of suspended tenants');
      const found = await findResumedEndpoint(database.system);
      if (found === null) return false;
      const isResumed = await database
        .forTenantInBackground(found.tenant_id)
        .transaction((tx) => parkAndResume(tx, found.id));
      if (isResumed) releases.wake();
      return isResumed;
    },
  });
  return {
    ...suspensions,
    async start() {
      await suspensions.start();
      await releases.start();
    },
    async stop() {
      await suspensions.stop();
      await releases.stop();
    },
  };
}
