import { leastNear, MAX_QUOTA_USES, type QuotaUse } from '@frontdesk/contracts';
import {
  type SystemScope,
  systemSql,
  type TenantReads,
  type TenantTransaction,
  tenantSql,
} from '@frontdesk/database';
import { APPOINTMENTS_COUNTER } from './appointment.repository.ts';

const CREATED = 'created/';

/** The counter of the appointments created in this UTC day; one that is cancelled stays counted. */
export const createdToday = (now = new Date()) => `${CREATED}${now.toISOString().slice(0, 10)}`;

const count = tenantSql<never, { createdCounter: string }>(
  'appointments_count_created',
  `insert into counts (tenant_id, counter, delta) values ($tenantId, '${APPOINTMENTS_COUNTER}', 1), ($tenantId, $createdCounter, 1)`,
);

/** Counts a new appointment: among all, and of its day. */
export const countCreated = (tx: TenantTransaction, createdCounter: string) =>
  tx.send(count, { createdCounter });

export const countCreatedToday = (db: TenantReads) => db.total(createdToday());

const findUses = systemSql<QuotaUse, { counter: string; from: number; limit: number }>(
  'created_quota_uses',
  `select tenant_id, 'appointments_per_day' as quota, sum(delta)::bigint as used from counts where counter = $counter
   group by tenant_id having sum(delta) >= $from order by used desc limit $limit`,
);

/** Tenants that may be near their quota of this day, those with most first. */
export const findCreatedUses = (system: SystemScope) =>
  system.many(findUses, {
    counter: createdToday(),
    from: leastNear('appointments_per_day'),
    limit: MAX_QUOTA_USES,
  });

const BATCH = 5_000;

// Of past days, and what says that one of them came near a quota. Yesterday's may still be written by a clock that is late.
const purge = systemSql<never>(
  'created_purge',
  `delete from counts where ctid in (
     select ctid from counts
     where counter ~ '^(near/[0-9]+/)?${CREATED}' and right(counter, 10) < to_char(now() at time zone 'utc' - interval '1 day', 'YYYY-MM-DD')
     limit ${BATCH} for update skip locked)`,
);

/** Removes some counts of past days. @returns whether there may be more */
export const purgeCreatedCounts = async (system: SystemScope) => (await system.run(purge)) === BATCH;
