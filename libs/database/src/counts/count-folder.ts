import { type Component, type Logger, loop } from '@frontdesk/service';
import type { Database } from '../database.ts';
import { systemSql } from '../scope/statements.ts';

const FOLD_INTERVAL_MS = 10_000;
/** A counter with fewer rows is read fast enough as it is. */
const CROWDED_ROWS = 64;
const COUNTERS_A_TURN = 100;
const ROWS_A_TURN = 20_000;

// One statement, so that every reader sees either the deltas or their sum. Rows that another folder holds are skipped.
const foldDeltas = systemSql<{ folded: number }>(
  'counts_fold',
  `with crowded as (
     select tenant_id, counter from counts group by tenant_id, counter having count(*) > ${CROWDED_ROWS} limit ${COUNTERS_A_TURN}
   ), taken as (
     select counts.ctid from counts join crowded using (tenant_id, counter) limit ${ROWS_A_TURN} for update of counts skip locked
   ), removed as (
     delete from counts where ctid in (select ctid from taken) returning tenant_id, counter, delta
   ), folded as (
     insert into counts (tenant_id, counter, delta)
     select tenant_id, counter, sum(delta) from removed group by tenant_id, counter
     returning 1
   )
   select count(*) as folded from folded`,
);

/** The worker that folds many deltas of one counter into one. */
export function createCountFolder(options: { database: Database; logger: Logger }): Component {
  return loop({
    name: 'count folder',
    intervalMs: FOLD_INTERVAL_MS,
    logger: options.logger,
    run: async () => (await options.database.system.one(foldDeltas)).folded === COUNTERS_A_TURN,
  });
}
