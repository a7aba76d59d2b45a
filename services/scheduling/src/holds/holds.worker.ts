import { HOLD_KEPT_MINUTES } from '@frontdesk/contracts';
import { type Database, systemSql } from '@frontdesk/database';
import { type Logger, type Loop, loop, type Metrics } from '@frontdesk/service';
import { countAllOpenHolds } from './hold.repository.ts';

const INTERVAL_MS = 10_000;
const BATCH = 1_000;

const rowsWhere = (condition: string) => `(tenant_id, id) in (
     select tenant_id, id from appointments where ${condition}
     order by tenant_id, id limit ${BATCH} for update skip locked)`;

const expire = systemSql<never>(
  'holds_expire',
  `update appointments set status = 'expired'
   where ${rowsWhere(`status = 'held' and held_until <= now()`)}`,
);

const remove = systemSql<never>(
  'holds_remove',
  `delete from appointments
   where ${rowsWhere(`status = 'expired' and held_until < now() - interval '${HOLD_KEPT_MINUTES} minutes'`)}`,
);

/**
 * Clears away holds that have ended: their places are free without it, as whoever finds one in the way ends it. What ended an hour
 * ago is forgotten. Measures how many are open.
 */
export function createHoldsWorker(options: { database: Database; logger: Logger; metrics: Metrics }): Loop {
  const { database, logger, metrics } = options;
  metrics.watch({ name: 'holds_open', help: 'Times that are held now, in all businesses.' }, () =>
    countAllOpenHolds(database.system),
  );
  return loop({
    name: 'holds',
    intervalMs: INTERVAL_MS,
    logger,
    async run() {
      const expired = await database.system.run(expire);
      const removed = await database.system.run(remove);
      return Math.max(expired, removed) === BATCH;
    },
  });
}
