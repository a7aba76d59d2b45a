import type { CallDirection, CallOutcome, CallSentiment, CallSourceSettings } from '@frontdesk/contracts';
import { type TenantTransaction, tenantSql } from '@frontdesk/database';
import { CALL_COLUMNS, type CallRow } from './call-row.ts';

/** What a call's messages and the search for its customer decide of its row. */
export interface CallState {
  received_at: Date;
  is_complete: boolean;
  direction: CallDirection | null;
  from_number: string | null;
  to_number: string | null;
  /** As E.164; null until the call is complete, and where there is none. */
  customer_number: string | null;
  customer_id: number | null;
  started_at: Date | null;
  ended_at: Date | null;
  duration_seconds: number | null;
  is_missed: boolean | null;
  outcome: CallOutcome | null;
  sentiment: CallSentiment | null;
  sentiment_source: 'provider' | 'lexicon' | null;
  quality_score: number | null;
  summary: string | null;
  transcript_truncated: boolean;
  recording_url: string | null;
  appointment_id: number | null;
  /** Whether `call.ended` and `call.missed` are written. */
  is_announced: boolean;
  is_missed_announced: boolean;
}

const STATE = [
  ...[
    'received_at',
    'is_complete',
    'direction',
    'from_number',
    'to_number',
    'customer_number',
    'customer_id',
  ],
  ...['started_at', 'ended_at', 'duration_seconds', 'is_missed', 'outcome', 'sentiment', 'sentiment_source'],
  ...['quality_score', 'summary', 'transcript_truncated', 'recording_url', 'appointment_id'],
  ...['is_announced', 'is_missed_announced'],
] as (keyof CallState)[];

/** What else its row holds. */
interface Bookkeeping {
  id: number;
  version: number;
  is_announcement_due: boolean;
  is_link_due: boolean;
  provider: string;
  settings: CallSourceSettings;
}

export type LockedCall = CallState & Bookkeeping;

const LOCKED = `select ${STATE.map((column) => `c.${column}`).join(', ')}, c.id, c.version, c.provider, s.settings,
    coalesce(c.announce_at <= now(), false) as is_announcement_due, c.link_due_at is not null as is_link_due
  from calls c join call_sources s on s.tenant_id = c.tenant_id and s.id = c.source_id
  where c.tenant_id = $1`;

const lockById = tenantSql<LockedCall, [id: number]>('calls_lock', `${LOCKED} and c.id = $2 for update of c`);

type ProviderCall = [provider: string, providerCallId: string];

const lockByProviderCall = tenantSql<LockedCall, ProviderCall>(
  'calls_lock_by_provider_call',
  `${LOCKED} and c.provider = $2 and c.provider_call_id = $3 for update of c`,
);

const insert = tenantSql<never, [...ProviderCall, sourceId: number, receivedAt: Date]>(
  'calls_insert',
  `insert into calls (tenant_id, provider, provider_call_id, source_id, received_at) values ($1, $2, $3, $4, $5)
   on conflict on constraint calls_provider_call_unique do nothing`,
);

/** What a call's earlier messages have told of who spoke with whom. */
export type CallParties = Pick<CallState, 'is_complete' | 'direction' | 'from_number' | 'to_number'>;

const findParties = tenantSql<CallParties, ProviderCall>(
  'calls_find_parties',
  `select is_complete, direction, from_number, to_number from calls
   where tenant_id = $1 and provider = $2 and provider_call_id = $3`,
);

/** Null for a call that no message has told of. */
export const findCallParties = (db: Pick<TenantTransaction, 'maybeOne'>, ...call: ProviderCall) =>
  db.maybeOne(findParties, ...call);

/** Held to the transaction's end, so that one call's changes, and its events, come one after the other. */
export const lockCall = (tx: TenantTransaction, id: number) => tx.maybeOne(lockById, id);

/** The same for the call that a message tells of, which may be the first. */
export async function lockCallOf(
  tx: TenantTransaction,
  told: { provider: string; providerCallId: string; source_id: number; received_at: Date },
): Promise<LockedCall> {
  const call: ProviderCall = [told.provider, told.providerCallId];
  const known = await tx.maybeOne(lockByProviderCall, ...call);
  if (known) return known;
  // Of several first messages one inserts; the others wait here for its commit, and then for its lock.
  await tx.run(insert, ...call, told.source_id, told.received_at);
  return tx.one(lockByProviderCall, ...call);
}

const update = tenantSql<CallRow, [id: number, isChanged: boolean, ...unknown[]]>(
  'calls_update',
  // clock_timestamp: now() is the transaction's start, which may lie before the change that this one waited for.
  `update calls set ${STATE.map((column, index) => `${column} = $${index + 6}`).join(', ')},
     version = version + $3::boolean::integer,
     updated_at = case when $3::boolean then clock_timestamp() else updated_at end,
     announce_at = case when $4::bigint is not null then coalesce(announce_at, now() + $4::bigint * interval '1 ms') end,
     link_due_at = case when $5::boolean then coalesce(link_due_at, now()) end
   where tenant_id = $1 and id = $2
   returning ${CALL_COLUMNS}`,
);

export interface CallWrite {
  /** Whether the record is another one than before: its version grows. */
  isChanged: boolean;
  /** Until `call.ended` goes without an analysis, unless that is set already; null where it waits for nothing. */
  announceAfterMs: number | null;
  /** Whether crm has to be asked for the customer later on. */
  isLinkDue: boolean;
}

/** Writes the whole state. @returns the row as it is then */
export const updateCall = (tx: TenantTransaction, id: number, state: CallState, write: CallWrite) =>
  tx.one(
    update,
    id,
    write.isChanged,
    write.announceAfterMs,
    write.isLinkDue,
    ...STATE.map((column) => state[column]),
  );

/** Columns that the record doesn't show. */
const UNSEEN: readonly (keyof CallState)[] = [
  'received_at',
  'customer_number',
  'is_announced',
  'is_missed_announced',
];

const comparable = (value: CallState[keyof CallState]) => (value instanceof Date ? value.getTime() : value);

/** Whether the two show as one record. */
export const isSameRecord = (one: CallState, other: CallState): boolean =>
  STATE.every((column) => UNSEEN.includes(column) || comparable(one[column]) === comparable(other[column]));
