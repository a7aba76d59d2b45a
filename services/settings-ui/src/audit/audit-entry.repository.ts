import type { OperatorChange } from '@frontdesk/contracts';
import { type SystemScope, systemSql, type TenantReads, tenantSql } from '@frontdesk/database';
import {
  type Actor,
  type ActorIds,
  type AuditAction,
  type AuditEntryRow,
  knownAction,
  MOST_ADDRESSES,
  MOST_IN_ENTRY,
  operatorNamed,
} from './audit.rules.ts';
import { auditEntryEntity } from './audit-entry.entity.ts';

const idsOf = ({ accountId = null, membershipId = null }: ActorIds) => ({
  account_id: accountId,
  membership_id: membershipId,
});

/** Begun, with no outcome yet. */
export const insertEntry = (db: TenantReads, actor: Actor, action: AuditAction, subject: string) =>
  db
    .repository(auditEntryEntity)
    .insert({ actor: actor.name, address: actor.address, ...idsOf(actor), action, subject });

export const concludeEntry = (
  db: TenantReads,
  id: number,
  { who, ...outcome }: Pick<AuditEntryRow, 'outcome' | 'subject'> & { who?: ActorIds | undefined },
) => db.repository(auditEntryEntity).update({ id }, { ...outcome, ...(who && idsOf(who)) });

/** The addresses of the entry with one more, unless it is there already. */
const withAddress = (address: string) => `case
       when ${address} is null or ${address} = any(coalesce(entry.addresses, array_remove(array[entry.address], null)))
         or cardinality(entry.addresses) >= ${MOST_ADDRESSES} then entry.addresses
       else coalesce(entry.addresses, array_remove(array[entry.address], null)) || ${address} end`;

export interface WrongPassword {
  /** Null where nobody has the email. */
  accountId: number | null;
  address: string;
  action: AuditAction;
}

const queueWrong = systemSql<never, WrongPassword & { at: Date | null }>(
  'wrong_passwords_insert',
  `insert into wrong_passwords (at, account_id, address, action)
   values (coalesce($at::timestamptz, clock_timestamp()), $accountId, $address, $action)`,
);

/** Keeps a wrong password for the audit logs, in one row, whether or not the email is known. `at` if that isn't now. */
export const queueWrongPassword = (
  system: SystemScope,
  { accountId, address, action, at = null }: WrongPassword & { at?: Date | null },
) => system.run(queueWrong, { accountId, address, action, at });

// Attempts for an unknown email are counted under tenant 0, without email and address. Rows are folded one by one, in their order: another
// process waits for this one, and then finds nothing. The entry of another account, which had the email before, is closed first: the rows to
// insert hang on how many were closed, or PostgreSQL would close them last.
const foldWrong = systemSql<never>(
  'audit_log_fold',
  `with wrong as (
     delete from wrong_passwords where id = (select id from wrong_passwords order by id limit 1 for update)
     returning at, account_id, address, action
   ), other as (
     update audit_log entry set folded_hour = null from wrong
     join memberships m on m.account_id = wrong.account_id join accounts a on a.id = m.account_id
     where entry.tenant_id = m.tenant_id and entry.actor = a.email and entry.action = wrong.action
       and entry.folded_hour = date_trunc('hour', wrong.at, 'UTC') and entry.account_id is distinct from a.id
     returning entry.id
   )
   insert into audit_log as entry
     (tenant_id, at, actor, address, action, subject, outcome, folded_hour, account_id, membership_id)
   select coalesce(m.tenant_id, 0), wrong.at, coalesce(a.email, ''), case when a.id is not null then wrong.address end, wrong.action, '',
     'refused', date_trunc('hour', wrong.at, 'UTC'), a.id, m.id
   from wrong cross join (select count(*) as closed from other) others
   left join accounts a on a.id = wrong.account_id left join memberships m on m.account_id = a.id
   where others.closed >= 0
   order by m.tenant_id
   on conflict (tenant_id, actor, action, folded_hour) where folded_hour is not null
   do update set count = entry.count + 1, last_at = greatest(entry.last_at, excluded.at), address = excluded.address,
     addresses = ${withAddress('excluded.address')}`,
);

/**
 * Counts the wrong password that waits the longest, in the log of each business of the account. All of one hour are one entry, with their
 * addresses. @returns whether there was one
 */
export const foldWrongPassword = async (system: SystemScope): Promise<boolean> =>
  (await system.run(foldWrong)) > 0;

interface FoldedAction {
  actor: string;
  address: string | null;
  accountId: number | null;
  membershipId: number | null;
  action: string;
  record: number | null;
}

const WITH_RECORD = `case when $record::bigint is null or $record = any(entry.record_ids)
     then entry.record_ids else entry.record_ids || $record end`;

const foldAction = tenantSql<{ id: number }, FoldedAction>(
  'audit_log_fold_action',
  `insert into audit_log as entry
     (tenant_id, actor, address, account_id, membership_id, action, subject, folded_hour, record_ids, done_count, refused_count)
   values ($tenantId, $actor, $address, $accountId, $membershipId, $action, '', date_trunc('hour', now(), 'UTC'),
     array_remove(array[$record::bigint], null), 0, 0)
   on conflict (tenant_id, actor, action, folded_hour) where folded_hour is not null
   do update set count = entry.count + 1, last_at = clock_timestamp(), address = excluded.address,
     outcome = 'started', record_ids = ${WITH_RECORD}, addresses = ${withAddress('excluded.address')}
   where entry.count < ${MOST_IN_ENTRY} and entry.account_id is not distinct from excluded.account_id
   returning id`,
);

// Without its hour no further action is folded into it; what is under way is still concluded there.
const close = tenantSql<never, Pick<FoldedAction, 'actor' | 'accountId' | 'action'>>(
  'audit_log_close',
  `update audit_log set folded_hour = null
   where tenant_id = $tenantId and actor = $actor and action = $action and folded_hour = date_trunc('hour', now(), 'UTC')
     and (count >= ${MOST_IN_ENTRY} or account_id is distinct from $accountId::bigint)`,
);

/**
 * Begun, with no outcome yet, in one entry with all that the actor does of this kind in the hour: the account, as its email can change hands.
 * @returns the entry's id
 */
export async function foldEntry(
  db: TenantReads,
  { name: actor, address, accountId = null, membershipId = null }: Actor,
  { action, record }: { action: AuditAction; record: number | null },
): Promise<number> {
  for (;;) {
    const folded = await db.maybeOne(foldAction, { actor, address, accountId, membershipId, action, record });
    if (folded) return folded.id;
    await db.run(close, { actor, accountId, action });
  }
}

interface FoldedOutcome {
  id: number;
  done: number;
  refused: number;
  record: number | null;
  exported: number | null;
}

const concludeFolded = tenantSql<never, FoldedOutcome>(
  'audit_log_conclude_folded',
  `update audit_log as entry set
     done_count = done_count + $done::int, refused_count = refused_count + $refused::int,
     outcome = case when done_count + refused_count + 1 < count then 'started'
       when done_count + $done::int > 0 then 'done' else 'refused' end,
     record_ids = ${WITH_RECORD},
     exported_count = case when $exported::bigint is null then exported_count
       else coalesce(exported_count, 0) + $exported end
   where tenant_id = $tenantId and id = $id::bigint`,
);

/** What came of one action of a folded entry. It is done where all have an outcome and one at least was done. */
export const concludeFoldedEntry = (
  db: TenantReads,
  id: number,
  given: { outcome: 'done' | 'refused'; record?: number | null; exported?: number | null },
) => {
  const { outcome, record = null, exported = null } = given;
  const isDone = outcome === 'done';
  return db.run(concludeFolded, { id, done: Number(isDone), refused: Number(!isDone), record, exported });
};

const collect = tenantSql<
  never,
  { at: string; actor: string; action: string; subject: string; outcome: string; origin: string }
>(
  'audit_log_collect',
  `insert into audit_log (tenant_id, at, actor, action, subject, outcome, origin)
   values ($tenantId, $at, $actor, $action, $subject, $outcome, $origin)
   on conflict (tenant_id, origin) where origin is not null do nothing`,
);

/** What services do by themselves. */
const BY_THE_SYSTEM: ReadonlySet<AuditAction> = new Set(['endpoint_disabled']);

/**
 * An operator's change that another service has recorded, or what that service has done by itself. What is here already stays as it is.
 * @returns 1, or 0 where it is here already
 */
export function insertCollected(db: TenantReads, service: string, change: OperatorChange) {
  const { id, at, actor, action, subject, outcome } = change;
  const known = knownAction(action);
  return db.run(collect, {
    at,
    actor: known && BY_THE_SYSTEM.has(known) ? 'Frontdesk' : operatorNamed(actor).name,
    outcome,
    // With the instant: a database that was restored counts on from an earlier number.
    origin: `${service}:${id}:${at}`,
    action: known ?? 'operator_changed',
    subject: known ? subject : `${action}: ${subject}`,
  });
}

const COLUMNS = `tenant_id, id, at, actor, address, action, subject, outcome, count, last_at,
     to_json(record_ids) as record_ids, done_count, refused_count, addresses, exported_count, account_id, membership_id`;
// By instant: what operators did at other services may be collected late.
const NEWEST_FIRST = 'order by at desc, id desc';

const listNewest = tenantSql<AuditEntryRow, { count: number }>(
  'audit_log_list_newest',
  `select ${COLUMNS} from audit_log where tenant_id = $tenantId ${NEWEST_FIRST} limit $count`,
);

// An entry keeps its instant, so it is the same place for ever. One that is gone is the place before which the next
// older id stands.
const listOlder = tenantSql<AuditEntryRow, { before: number; count: number }>(
  'audit_log_list_older',
  `select ${COLUMNS} from audit_log
   where tenant_id = $tenantId and (at, id) < (
     select at, $before::bigint from audit_log where tenant_id = $tenantId and id <= $before order by id desc limit 1)
   ${NEWEST_FIRST} limit $count`,
);

/** The newest entries, or those from before the entry `before`. */
export const listEntries = (
  db: TenantReads,
  { before, count }: { before?: number | undefined; count: number },
) => (before === undefined ? db.many(listNewest, { count }) : db.many(listOlder, { before, count }));

const BATCH = 1_000;

const purge = systemSql<never, { days: number }>(
  'audit_log_purge',
  `delete from audit_log where (tenant_id, id) in (
     select tenant_id, id from audit_log where at < now() - $days * interval '1 day'
     limit ${BATCH} for update skip locked)`,
);

/** Removes a batch of entries beyond the retention. @returns whether there may be more */
export const purgeEntries = async (system: SystemScope, retentionDays: number) =>
  (await system.run(purge, { days: retentionDays })) === BATCH;
