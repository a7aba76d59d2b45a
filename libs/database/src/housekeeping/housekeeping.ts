import { IDEMPOTENCY_RETENTION_HOURS, OUTBOX_RETENTION_DAYS } from '@frontdesk/contracts';
import { type Component, type Logger, loop, type Metrics } from '@frontdesk/service';
import { purgeEventGaps } from '../consumers/event-gaps.repository.ts';
import type { Database } from '../database.ts';
import { systemSql } from '../scope/statements.ts';
import { createStoredBytes } from './stored-bytes.ts';

const INTERVAL_MS = 60_000;
const BATCH = 5_000;

const purgePublished = systemSql<never>(
  'housekeeping_outbox',
  `delete from outbox where id in (
     select id from outbox where published_at < now() - interval '${OUTBOX_RETENTION_DAYS} days'
     order by published_at limit ${BATCH} for update skip locked)`,
);

const purgeAnswers = systemSql<never>(
  'housekeeping_idempotency',
  `delete from idempotency_keys where ctid in (
     select ctid from idempotency_keys where created_at < now() - interval '${IDEMPOTENCY_RETENTION_HOURS} hours'
     order by created_at limit ${BATCH} for update skip locked)`,
);

/**
 * The worker that keeps a service's database in order: it removes published outbox rows and expired answers in small
 * batches, and old gaps, and measures daily how much tenants store.
 */
export function createHousekeeping(options: {
  database: Database;
  logger: Logger;
  metrics: Metrics;
  /** Ends the daily measurement. */
  measureMs?: number;
}): Component {
  const { database, logger } = options;
  const { system } = database;
  const purge = loop({
    name: 'housekeeping',
    intervalMs: INTERVAL_MS,
    logger,
    run: async () => {
      const events = await system.run(purgePublished);
      const answers = await system.run(purgeAnswers);
      await purgeEventGaps(system);
      return Math.max(events, answers) === BATCH;
    },
  });
  const workers = [purge, createStoredBytes(options)];
  return {
    name: purge.name,
    start: async () => void (await Promise.all(workers.map((worker) => worker.start()))),
    stop: async () => void (await Promise.all(workers.map((worker) => worker.stop()))),
  };
}
