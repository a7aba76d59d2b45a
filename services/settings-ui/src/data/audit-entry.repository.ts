import { type SystemScope, systemSql, type TenantReads, tenantSql } from '@frontdesk/database';
import type { Actor, AuditAction, AuditEntryRow } from '../domain/audit.ts';
import { auditEntryEntity } from './audit-entry.entity.ts';

/** Begun, with no outcome yet. */
export const insertEntry = (db: TenantReads, actor: Actor, action: AuditAction, subject: string) =>
  db.repository(auditEntryEntity).insert({ actor: actor.name, address: actor.address, action, subject });

export const concludeEntry = (
  db: TenantReads,
  id: number,
  outcome: Pick<AuditEntryRow, 'outcome' | 'subject'>,
) => db.repository(auditEntryEntity).update({ id }, outcome);

const fold = tenantSql<never, [actor: string, address: string | null, action: string]>(
  'audit_log_fold',
  `insert into audit_log (tenant_id, actor, address, action, subject, outcome, folded_hour)
   values ($1, $2, $3, $4, '', 'refused', date_trunc('hour', now(), 'UTC'))
   on conflict (tenant_id, actor, action, folded_hour) where folded_hour is not null
   do update set count = audit_log.count + 1, last_at = clock_timestamp(), address = excluded.address`,
);

/** Counts a wrong password. All of one admin in one hour are one entry, with the latest address. */
export const countFailure = (db: TenantReads, { name, address }: Actor, action: AuditAction) =>
  db.run(fold, name, address, action);

/** More than any id, for the first page. */
const FROM_THE_TOP = Number.MAX_SAFE_INTEGER;

const list = tenantSql<AuditEntryRow, [before: number, count: number]>(
  'audit_log_list',
  `select tenant_id, id, at, actor, address, action, subject, outcome, count, last_at from audit_log
   where tenant_id = $1 and id < $2 order by id desc limit $3`,
);

/** The newest entries, or those from before the entry `before`. */
export const listEntries = (
  db: TenantReads,
  { before = FROM_THE_TOP, count }: { before?: number | undefined; count: number },
) => db.many(list, before, count);

const BATCH = 1_000;

const purge = systemSql<never, [days: number]>(
  'audit_log_purge',
  `delete from audit_log where (tenant_id, id) in (
     select tenant_id, id from audit_log where at < now() - $1 * interval '1 day'
     limit ${BATCH} for update skip locked)`,
);

/** Removes a batch of entries beyond the retention. @returns whether there may be more */
export const purgeEntries = async (system: SystemScope, retentionDays: number) =>
  (await system.run(purge, retentionDays)) === BATCH;
