import type { CallProviderName } from '@frontdesk/contracts';
import { type TenantTransaction, tenantSql } from '@frontdesk/database';
import type { CallRow } from '../domain/call.ts';
import { type CallState, type LockedCall, STATE_COLUMNS } from '../domain/call-state.ts';
import { CALL_COLUMNS } from './call.repository.ts';

const LOCKED = `select ${STATE_COLUMNS.map((column) => `c.${column}`).join(', ')}, c.id, c.version, c.provider, s.settings,
    coalesce(c.announce_at <= now(), false) as is_announcement_due, c.link_due_at is not null as is_link_due
  from calls c join call_sources s on s.tenant_id = c.tenant_id and s.id = c.source_id
  where c.tenant_id = $1`;

const lockById = tenantSql<LockedCall, [id: number]>('calls_lock', `${LOCKED} and c.id = $2 for update of c`);

type ProviderCall = [provider: string, idSpace: number, providerCallId: string];

const lockByProviderCall = tenantSql<LockedCall, ProviderCall>(
  'calls_lock_by_provider_call',
  `${LOCKED} and c.provider = $2 and c.id_space = $3 and c.provider_call_id = $4 for update of c`,
);

const insert = tenantSql<never, [...ProviderCall, sourceId: number, isTest: boolean]>(
  'calls_insert',
  `insert into calls (tenant_id, provider, id_space, provider_call_id, source_id, is_test) values ($1, $2, $3, $4, $5, $6)
   on conflict on constraint calls_provider_call_unique do nothing`,
);

/** A call's id is unique within its provider; for `generic`, within its source. */
const idSpaceOf = (provider: CallProviderName, sourceId: number) => (provider === 'generic' ? sourceId : 0);

/** Held to the transaction's end, so that one call's changes, and its events, come one after the other. */
export const lockCall = (tx: TenantTransaction, id: number) => tx.maybeOne(lockById, id);

/** The same for the call of a message, which may be its first. */
export async function lockCallOf(
  tx: TenantTransaction,
  stated: { provider: CallProviderName; providerCallId: string; source_id: number; is_test: boolean },
): Promise<LockedCall> {
  const { provider, providerCallId, source_id, is_test } = stated;
  const call: ProviderCall = [provider, idSpaceOf(provider, source_id), providerCallId];
  const known = await tx.maybeOne(lockByProviderCall, ...call);
  if (known) return known;
  // Of several first messages one inserts; the others wait here for its commit, and then for its lock.
  await tx.run(insert, ...call, source_id, is_test);
  return tx.one(lockByProviderCall, ...call);
}

const update = tenantSql<CallRow, CallState & CallWrite & { id: number }>(
  'calls_update',
  // clock_timestamp: now() is the transaction's start, which may lie before the change that this one waited for.
  `update calls set ${STATE_COLUMNS.map((column) => `${column} = $${column}`).join(', ')},
     version = version + $growth::integer,
     updated_at = case when $isChanged::boolean then clock_timestamp() else updated_at end,
     announce_at = case when not $isAnnounced::boolean then least(announce_at, now() + $announceWithinMs::bigint * interval '1 ms') end,
     link_due_at = case when $isLinkDue::boolean then coalesce(link_due_at, now()) end
   where tenant_id = $1 and id = $id
   returning ${CALL_COLUMNS}`,
);

export interface CallWrite {
  /** By how much its version grows: by one for a change of the record, and for events that must not share one. */
  growth: number;
  /** Whether the record is another one than before. */
  isChanged: boolean;
  /** Whether all events so far are written, so that nothing is waited for any more. */
  isAnnounced: boolean;
  /** When it is announced at the latest; null leaves that as it is. */
  announceWithinMs: number | null;
  /** Whether its customer has yet to be found. */
  isLinkDue: boolean;
}

/** Writes the whole state. @returns the row as it is then */
export const updateCall = (tx: TenantTransaction, id: number, state: CallState, write: CallWrite) => {
  const columns = Object.fromEntries(
    STATE_COLUMNS.map((column) => [column, state[column]]),
  ) as unknown as CallState;
  return tx.one(update, { ...columns, ...write, id });
};
