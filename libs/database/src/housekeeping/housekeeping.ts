import { type Logger, loop, type Metrics, type Part } from '@frontdesk/service';
import type { Database } from '../database.ts';
import { IDEMPOTENCY_RETENTION_HOURS } from '../idempotency/idempotency.ts';
import { systemSql } from '../scope/statements.ts';
import { createStoredBytes } from './stored-bytes.ts';

const INTERVAL_MS = 60_000;
const STATISTICS_INTERVAL_MS = 2_000;
/** A table is looked at again once it has so many times the pages that it had, and at least so many. */
const GROWTH = 8;
const SMALL_PAGES = 32;
const BATCH = 5_000;
const OUTBOX_RETENTION_DAYS = 7;
const GAP_RETENTION_DAYS = 90;

const purgePublished = systemSql<never>(
  'housekeeping_outbox',
  `delete from outbox where id in (
     select id from outbox where published_at < now() - interval '${OUTBOX_RETENTION_DAYS} days'
     limit ${BATCH} for update skip locked)`,
);

const purgeAnswers = systemSql<never>(
  'housekeeping_idempotency',
  `delete from idempotency_keys where ctid in (
     select ctid from idempotency_keys where created_at < now() - interval '${IDEMPOTENCY_RETENTION_HOURS} hours'
     limit ${BATCH} for update skip locked)`,
);

const purgeGaps = systemSql<never>(
  'housekeeping_event_gaps',
  `delete from event_gaps where found_at < now() - interval '${GAP_RETENTION_DAYS} days'`,
);

// PostgreSQL counts rows by itself once a minute at most. Within one a new system's tables and each day's partitions fill, and
// plans made for empty ones go through every row of theirs. What others are just counting is left to them; a queue that has just
// emptied would only be believed to stay so.
const analyzeGrown = systemSql<never>(
  'housekeeping_statistics',
  `do $$
   declare grown regclass;
   begin
     for grown in
       select oid from pg_class
       where relkind = 'r' and relnamespace = 'public'::regnamespace
         and pg_relation_size(oid) / current_setting('block_size')::integer >= greatest(${GROWTH} * relpages, ${SMALL_PAGES})
         and pg_stat_get_live_tuples(oid) > pg_stat_get_dead_tuples(oid)
     loop
       execute format('analyze (skip_locked) %s', grown);
     end loop;
   end $$`,
);

/**
 * The worker that keeps a service's database in order: it removes published outbox rows and expired answers in small
 * batches, and old gaps, refreshes the statistics of tables that have grown much, and measures daily how much tenants store.
 */
export function createHousekeeping(options: { database: Database; logger: Logger; metrics: Metrics }): Part {
  const { database, logger } = options;
  const { system } = database;
  const purge = loop({
    name: 'housekeeping',
    intervalMs: INTERVAL_MS,
    logger,
    run: async () => {
      const events = await system.run(purgePublished);
      const answers = await system.run(purgeAnswers);
      await system.run(purgeGaps);
      return Math.max(events, answers) === BATCH;
    },
  });
  const statistics = loop({
    name: 'table statistics',
    intervalMs: STATISTICS_INTERVAL_MS,
    logger,
    run: async () => {
      await system.run(analyzeGrown);
      return false;
    },
  });
  const workers = [purge, statistics, createStoredBytes(options)];
  return {
    name: purge.name,
    start: async () => void (await Promise.all(workers.map((worker) => worker.start()))),
    stop: async () => void (await Promise.all(workers.map((worker) => worker.stop()))),
  };
}
