import type { CallProviderName, Utterance } from '@frontdesk/contracts';
import { type TenantReads, type TenantTransaction, tenantSql } from '@frontdesk/database';
import { currentCustomer, type Merge, REWRITTEN_TOGETHER } from '@frontdesk/merges';
import type { CallAdminColumns, CallRow, StatedAppointment } from './call.rules.ts';
import { type CallState, type LockedCall, STATE_COLUMNS } from './call-state.rules.ts';
import { IS_PARKED } from './parked-call.repository.ts';

export const LIST_COLUMNS = `id, customer_id, direction, from_number, to_number, started_at, ended_at, duration_seconds, is_missed,
  sentiment, quality_score, outcome, is_test, created_at, updated_at,
  (select s.name from call_sources s where s.tenant_id = calls.tenant_id and s.id = calls.source_id) as source`;

/** What the business has booked in the call; else what its messages state, once that is known to be the tenant's. */
export const SERVED_APPOINTMENT = 'coalesce(booked_appointment_id, linked_appointment_id)';

export const ADMIN_COLUMNS = 'source_id, called_back_at, called_back_by';

const CALL_COLUMNS = `${LIST_COLUMNS}, summary, transcript_truncated, recording_url, sentiment_source, provider,
  provider_call_id, ${SERVED_APPOINTMENT} as served_appointment_id, version`;

type FoundCall = CallRow & CallAdminColumns & StatedAppointment & { transcript: Utterance[] | null };

const find = tenantSql<FoundCall, { id: number }>(
  'calls_find',
  `select ${CALL_COLUMNS}, ${ADMIN_COLUMNS}, appointment_id, checked_appointment_id, linked_appointment_id,
     utterances as transcript
   from calls left join call_transcripts t on t.tenant_id = calls.tenant_id and t.call_id = calls.id
   where calls.tenant_id = $tenantId and calls.id = $id and is_complete`,
);

/** A complete call with its transcript. */
export const findCall = (db: TenantReads, id: number) => db.maybeOne(find, { id });

const LOCKED = `select ${STATE_COLUMNS.map((column) => `c.${column}`).join(', ')}, c.id, c.version, c.provider, s.settings,
    ${currentCustomer('$tenantId', 'c.customer_id')} as current_customer_id,
    coalesce(c.announce_at <= now(), false) as is_announcement_due, c.link_due_at is not null as is_link_due,
    coalesce(c.${IS_PARKED}, false) as is_parked,
    c.appointment_id is not null and c.appointment_id is distinct from c.checked_appointment_id
      and c.appointment_denials = 0 as is_appointment_awaited
  from calls c join call_sources s on s.tenant_id = c.tenant_id and s.id = c.source_id
  where c.tenant_id = $tenantId`;

const lockById = tenantSql<LockedCall, { id: number }>(
  'calls_lock',
  `${LOCKED} and c.id = $id for update of c`,
);

interface MessageOrigin {
  provider: CallProviderName;
  source_id: number;
  is_test: boolean;
}
type ProviderCall = { provider: string; idSpace: number; providerCallId: string };

const lockByProviderCall = tenantSql<LockedCall, ProviderCall>(
  'calls_lock_by_provider_call',
  `${LOCKED} and c.provider = $provider and c.id_space = $idSpace and c.provider_call_id = $providerCallId for update of c`,
);

const insert = tenantSql<never, ProviderCall & { sourceId: number; isTest: boolean }>(
  'calls_insert',
  `insert into calls (tenant_id, provider, id_space, provider_call_id, source_id, is_test)
   values ($tenantId, $provider, $idSpace, $providerCallId, $sourceId, $isTest)
   on conflict on constraint calls_provider_call_unique do nothing`,
);

/** A call's id is unique within its provider; for `generic`, within its source. Tests have a space of their own in each source. */
function idSpaceOf({ provider, source_id, is_test }: MessageOrigin): number {
  if (is_test) return -source_id;
  return provider === 'generic' ? source_id : 0;
}

/** Held to the transaction's end, so that one call's changes, and its events, come one after the other. */
export const lockCall = (tx: TenantTransaction, id: number) => tx.maybeOne(lockById, { id });

/** The same for the call of a message, which may be its first. */
export async function lockCallOf(
  tx: TenantTransaction,
  message: MessageOrigin,
  providerCallId: string,
): Promise<LockedCall> {
  const { provider, source_id: sourceId, is_test: isTest } = message;
  const call = { provider, idSpace: idSpaceOf(message), providerCallId };
  const known = await tx.maybeOne(lockByProviderCall, call);
  if (known) return known;
  // Of several first messages one inserts; the others wait here for its commit, and then for its lock.
  await tx.run(insert, { ...call, sourceId, isTest });
  return tx.one(lockByProviderCall, call);
}

const update = tenantSql<CallRow, CallState & CallWrite & { id: number }>(
  'calls_update',
  // clock_timestamp: now() is the transaction's start, which may lie before the change that this one waited for.
  `update calls set ${STATE_COLUMNS.map((column) => `${column} = $${column}`).join(', ')},
     version = version + $growth::integer,
     updated_at = case when $is_changed::boolean then clock_timestamp() else updated_at end,
     announce_at = case when not $awaits_nothing::boolean then least(announce_at, now() + $announce_within_ms::bigint * interval '1 ms') end,
     appointment_due_at = case when appointment_id is distinct from $appointment_id then now() else appointment_due_at end,
     appointment_attempts = case when appointment_id is distinct from $appointment_id then 0 else appointment_attempts end,
     appointment_denials = case when appointment_id is distinct from $appointment_id then 0 else appointment_denials end,
     link_due_at = case when not $is_link_due::boolean then null
       when customer_number is distinct from $customer_number then now() else coalesce(link_due_at, now()) end,
     link_attempts = case when customer_number is distinct from $customer_number then 0 else link_attempts end
   where tenant_id = $tenantId and id = $id
   returning ${CALL_COLUMNS}`,
);

export interface CallWrite {
  /** By how much its version grows: by one for a change of the record, and for events that must not share one. */
  growth: number;
  /** Whether the record is another one than before. */
  is_changed: boolean;
  /** Whether all events so far are written. */
  awaits_nothing: boolean;
  /** When it is announced at the latest; null leaves that as it is. */
  announce_within_ms: number | null;
  /** Whether its customer has yet to be found. */
  is_link_due: boolean;
}

/** Writes the whole state. @returns the row as it is then */
export const updateCall = (tx: TenantTransaction, id: number, state: CallState, write: CallWrite) => {
  const columns = Object.fromEntries(
    STATE_COLUMNS.map((column) => [column, state[column]]),
  ) as unknown as CallState;
  return tx.one(update, { ...columns, ...write, id });
};

// Locks all before it changes one, in the order of ids, as marks of call-backs do.
const rewriteCustomer = tenantSql<never, Merge>(
  'calls_rewrite_customer',
  `update calls set customer_id = $mergedInto, version = version + 1, updated_at = clock_timestamp()
   where tenant_id = $tenantId and id = any(array(
     select id from calls where tenant_id = $tenantId and customer_id = $id and id = any(array(
       select id from calls where tenant_id = $tenantId and customer_id = $id and is_complete
       order by started_at, id limit ${REWRITTEN_TOGETHER}))
     order by id for update))`,
);

/** Has calls of a merged customer name the one that they are part of, without an event. @returns how many */
export const rewriteCalls = (tx: TenantTransaction, merge: Merge) => tx.run(rewriteCustomer, merge);
