import { type Logger, loop, type Part } from '@frontdesk/service';
import type { Database } from './database.ts';
import { IDEMPOTENCY_RETENTION_HOURS } from './idempotency.ts';
import { systemSql } from './statements.ts';

const INTERVAL_MS = 60_000;
const BATCH = 5_000;
const OUTBOX_RETENTION_DAYS = 7;

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

/** The worker that removes what is past its time: published outbox rows and stored answers, in small batches. */
export function createHousekeeping(options: { database: Database; logger: Logger }): Part {
  const { system } = options.database;
  return loop({
    name: 'housekeeping',
    intervalMs: INTERVAL_MS,
    logger: options.logger,
    run: async () => {
      const events = await system.run(purgePublished);
      const answers = await system.run(purgeAnswers);
      return Math.max(events, answers) === BATCH;
    },
  });
}
