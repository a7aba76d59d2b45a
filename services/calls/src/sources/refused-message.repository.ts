import type { CallRefusal } from '@frontdesk/contracts';
import { type SystemScope, systemSql, type TenantReads, tenantSql } from '@frontdesk/database';
import type { RefusedMessageRow } from './call-source.rules.ts';

/** Messages of one source that were refused for one reason, and when by this process's clock, in milliseconds. */
export interface RefusedMessageCount {
  tenantId: number;
  sourceId: number;
  reason: CallRefusal;
  messages: number;
  firstAtMs: number;
  lastAtMs: number;
}

// By how long ago, on the clock that `last_message_at` goes by too. In the order of the keys, so that two processes
// can't wait for each other.
const add = systemSql<
  never,
  {
    tenantIds: number[];
    sourceIds: number[];
    reasons: string[];
    messages: number[];
    firstMsAgo: number[];
    lastMsAgo: number[];
  }
>(
  'refusals_add',
  `insert into call_refusals as known (tenant_id, source_id, reason, messages, first_at, last_at)
   select tenant_id, source_id, reason, messages, now() - first_ms_ago * interval '1 ms', now() - last_ms_ago * interval '1 ms'
   from unnest($tenantIds::bigint[], $sourceIds::bigint[], $reasons::text[], $messages::bigint[], $firstMsAgo::bigint[], $lastMsAgo::bigint[])
     as counted (tenant_id, source_id, reason, messages, first_ms_ago, last_ms_ago)
   order by tenant_id, source_id, reason
   on conflict (tenant_id, source_id, reason) do update
     set messages = known.messages + excluded.messages, last_at = greatest(known.last_at, excluded.last_at)`,
);

/** One row for each source and reason, however many messages were refused. */
export const addRefusedMessages = (system: SystemScope, counts: readonly RefusedMessageCount[]) => {
  const now = Date.now();
  return system.run(add, {
    tenantIds: counts.map(({ tenantId }) => tenantId),
    sourceIds: counts.map(({ sourceId }) => sourceId),
    reasons: counts.map(({ reason }) => reason),
    messages: counts.map(({ messages }) => messages),
    firstMsAgo: counts.map(({ firstAtMs }) => Math.max(0, now - firstAtMs)),
    lastMsAgo: counts.map(({ lastAtMs }) => Math.max(0, now - lastAtMs)),
  });
};

const COLUMNS = 'source_id, reason, messages, first_at, last_at';

const list = tenantSql<RefusedMessageRow>(
  'refusals_list',
  `select ${COLUMNS} from call_refusals where tenant_id = $tenantId order by last_at desc, reason`,
);

const listOfSource = tenantSql<RefusedMessageRow, { sourceId: number }>(
  'refusals_list_of_source',
  `select ${COLUMNS} from call_refusals where tenant_id = $tenantId and source_id = $sourceId order by last_at desc, reason`,
);

/** Of all sources, or of one; the latest first. */
export const listRefusedMessages = (db: TenantReads, sourceId?: number) =>
  sourceId === undefined ? db.many(list) : db.many(listOfSource, { sourceId });

const BATCH = 1_000;

// Of a deleted source too. Without an index: it would cost each count more than the few rows cost here.
const purge = systemSql<never, { days: number }>(
  'refusals_purge',
  `delete from call_refusals where (tenant_id, source_id, reason) in (
     select tenant_id, source_id, reason from call_refusals where last_at < now() - $days * interval '1 day'
     limit ${BATCH} for update skip locked)`,
);

/** Removes some of those whose last message is so many days past. */
export const purgeRefusedMessages = (system: SystemScope, days: number) => system.run(purge, { days });
