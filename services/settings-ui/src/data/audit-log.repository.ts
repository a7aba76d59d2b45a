import { type Database, systemSql, tenantSql } from '@frontdesk/database';
import type { Actor, AuditAction, AuditEntry } from '../domain/audit.ts';

const insert = tenantSql<
  { id: number },
  [actor: string, address: string | null, action: string, subject: string]
>(
  'audit_log_insert',
  `insert into audit_log (tenant_id, actor, address, action, subject) values ($1, $2, $3, $4, $5) returning id`,
);

const conclude = tenantSql<never, [id: number, outcome: string, subject: string]>(
  'audit_log_conclude',
  'update audit_log set outcome = $3, subject = $4 where tenant_id = $1 and id = $2',
);

/** Written before the change, so that none happens unrecorded. */
export async function beginEntry(database: Database, actor: Actor, action: AuditAction, subject: string) {
  const scope = database.forTenant(actor.tenantId);
  const { id } = await scope.one(insert, actor.name, actor.address, action, subject);
  return {
    conclude: (outcome: 'done' | 'refused', finalSubject = subject) =>
      scope.run(conclude, id, outcome, finalSubject),
  };
}

const fold = tenantSql<never, [actor: string, address: string | null, action: string]>(
  'audit_log_fold',
  `insert into audit_log (tenant_id, actor, address, action, subject, outcome, folded_hour)
   values ($1, $2, $3, $4, '', 'refused', date_trunc('hour', now(), 'UTC'))
   on conflict (tenant_id, actor, action, folded_hour) where folded_hour is not null
   do update set count = audit_log.count + 1, last_at = clock_timestamp(), address = excluded.address`,
);

/** Counts a wrong password. All of one admin in one hour are one entry, with the latest address. */
export const countFailure = (database: Database, { tenantId, name, address }: Actor, action: AuditAction) =>
  database.forTenant(tenantId).run(fold, name, address, action);

/** More than any id, for the first page. */
const FROM_THE_TOP = Number.MAX_SAFE_INTEGER;

const list = tenantSql<AuditEntry, [before: number, count: number]>(
  'audit_log_list',
  `select id, at, actor, address, action, subject, outcome, count, last_at from audit_log
   where tenant_id = $1 and id < $2 order by id desc limit $3`,
);

/** The newest entries, or those from before the entry `before`. */
export const listEntries = (
  database: Database,
  tenantId: number,
  { before = FROM_THE_TOP, count }: { before?: number | undefined; count: number },
) => database.forTenant(tenantId).many(list, before, count);

const RETENTION_DAYS = 400;
const BATCH = 1_000;

const purge = systemSql<never>(
  'audit_log_purge',
  `delete from audit_log where (tenant_id, id) in (
     select tenant_id, id from audit_log where at < now() - interval '${RETENTION_DAYS} days'
     limit ${BATCH} for update skip locked)`,
);

/** Removes a batch of entries beyond the retention. @returns whether there may be more */
export const purgeEntries = async ({ system }: Database) => (await system.run(purge)) === BATCH;
