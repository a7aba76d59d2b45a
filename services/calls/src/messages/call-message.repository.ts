import type {
  CallMessage,
  CallProviderName,
  CallSourceSettings,
  ListCallMessages,
} from '@frontdesk/contracts';
import {
  type Database,
  defineList,
  type SystemScope,
  systemSql,
  type TenantReads,
  type TenantTransaction,
  tenantSql,
} from '@frontdesk/database';
import { afterAttempts, longestDueOfEach } from '../due-rows/due-row.repository.ts';
import type { CallMessageRow } from './call-message-record.rules.ts';

export interface NewMessage {
  source_id: number;
  /** SHA-256 of content type, content encoding, body, and whether it is a test: what makes two messages the same. */
  digest: Buffer;
  content_type: string;
  /** Null where it came without one. */
  content_encoding: string | null;
  url: string;
  body: Buffer;
  /** Whether a test of the source made it. */
  is_test: boolean;
}

const insert = tenantSql<{ id: number }, NewMessage>(
  'messages_insert',
  `insert into call_messages (tenant_id, source_id, digest, content_type, content_encoding, url, body, is_test)
   values ($tenantId, $source_id, $digest, $content_type, $content_encoding, $url, $body, $is_test)
   on conflict on constraint call_messages_digest_unique do nothing returning id`,
);

const findSame = tenantSql<{ id: number }, { sourceId: number; digest: Buffer }>(
  'messages_find_same',
  'select id from call_messages where tenant_id = $tenantId and source_id = $sourceId and digest = $digest',
);

/** The id of a stored message with the same bytes; null where there is none. */
export const findSameMessage = async (
  db: TenantReads,
  { source_id, digest }: Pick<NewMessage, 'source_id' | 'digest'>,
) => (await db.maybeOne(findSame, { sourceId: source_id, digest }))?.id ?? null;

/** The new message's id; null where the same message is stored already. */
export const insertMessage = async (tx: TenantTransaction, message: NewMessage) =>
  (await tx.maybeOne(insert, message))?.id ?? null;

/** Messages that wait to be read. */
export const findDueMessages = longestDueOfEach({
  name: 'messages_find_due',
  table: 'call_messages',
  waiting: "status = 'received'",
  due: 'due_at',
});

const findOldestDue = systemSql<{ seconds: number | null }>(
  'messages_oldest_due',
  `select extract(epoch from now() - due_at)::float8 as seconds from call_messages
   where status = 'received' and due_at <= now() order by due_at, id limit 1`,
);

/** How long the longest waiting message has been due, in seconds; 0 where none is. */
export const oldestDueSeconds = async (system: SystemScope) =>
  (await system.maybeOne(findOldestDue))?.seconds ?? 0;

/** A message with what is needed to read it. */
export interface ReceivedMessage {
  id: number;
  source_id: number;
  provider: CallProviderName;
  settings: CallSourceSettings;
  content_type: string;
  content_encoding: string | null;
  url: string;
  body: Buffer;
  is_test: boolean;
  received_at: Date;
}

const findReceived = tenantSql<ReceivedMessage, { id: number }>(
  'messages_find_received',
  `select m.id, m.source_id, s.provider, s.settings, m.content_type, m.content_encoding, m.url, m.body, m.is_test, m.received_at
   from call_messages m join call_sources s on s.tenant_id = m.tenant_id and s.id = m.source_id
   where m.tenant_id = $tenantId and m.id = $id and m.status = 'received'`,
);

/** Null when somebody has read it by now. */
export const findReceivedMessage = (db: TenantReads, id: number) => db.maybeOne(findReceived, { id });

const lockReceived = tenantSql<{ id: number }, { id: number }>(
  'messages_lock_received',
  `select id from call_messages where tenant_id = $tenantId and id = $id and status = 'received' for update skip locked`,
);

/** Holds the message for this transaction alone. False when another one holds it, or has read it. */
export const lockReceivedMessage = async (tx: TenantTransaction, id: number) =>
  (await tx.maybeOne(lockReceived, { id })) !== null;

const settle = tenantSql<never, { id: number; status: string; reason: string | null; callId: number | null }>(
  'messages_settle',
  `update call_messages set status = $status, reason = $reason, call_id = coalesce($callId, call_id)
   where tenant_id = $tenantId and id = $id and status = 'received'`,
);

export const settleMessage = (
  db: TenantReads,
  id: number,
  outcome: { status: Exclude<CallMessage['status'], 'received'>; reason?: string; callId?: number },
) =>
  db.run(settle, {
    id,
    status: outcome.status,
    reason: outcome.reason ?? null,
    callId: outcome.callId ?? null,
  });

const defer = tenantSql<never, { id: number; reason: string }>(
  'messages_defer',
  `update call_messages set attempts = attempts + 1, reason = $reason, due_at = ${afterAttempts('attempts')}
   where tenant_id = $tenantId and id = $id and status = 'received'`,
);

/** Leaves the message for another try, later each time; what stands in the way is shown beside it. */
export const deferMessage = (db: TenantReads, id: number, reason: string) => db.run(defer, { id, reason });

// The length is kept beside a stored body: reading it doesn't read the body.
const COLUMNS =
  'id, source_id, status, reason, call_id, content_type, octet_length(body) as bytes, is_test, received_at';

const readPage = defineList<CallMessageRow, 'id' | 'source' | 'status', 'id'>({
  name: 'messages',
  from: 'call_messages',
  columns: COLUMNS,
  filters: { id: 'id = $id', source: 'source_id = $sourceId', status: 'status = $status' },
  sorts: { id: { column: 'id' } },
  defaultSort: '-id',
});

/** One page, newest first. */
export const listMessages = (database: Database, tenantId: number, query: ListCallMessages) =>
  readPage(database, tenantId, query, [
    ['id', { id: query.id }],
    ['source', { sourceId: query.source_id }],
    ['status', { status: query.status }],
  ]);

const findWithBody = tenantSql<CallMessageRow & { body: Buffer }, { id: number }>(
  'messages_find_with_body',
  `select ${COLUMNS}, body from call_messages where tenant_id = $tenantId and id = $id`,
);

export const findMessage = (db: TenantReads, id: number) => db.maybeOne(findWithBody, { id });

export type MessageOutcome = Pick<CallMessage, 'status' | 'reason' | 'call_id'>;

const findOutcome = tenantSql<MessageOutcome, { id: number }>(
  'messages_find_outcome',
  'select status, reason, call_id from call_messages where tenant_id = $tenantId and id = $id',
);

export const findMessageOutcome = (db: TenantReads, id: number) => db.maybeOne(findOutcome, { id });

const reset = tenantSql<CallMessageRow, { id: number }>(
  'messages_reset',
  `update call_messages set status = 'received', reason = null, attempts = 0, due_at = now()
   where tenant_id = $tenantId and id = $id returning ${COLUMNS}`,
);

/** Has the message read again. Null where there is none. */
export const resetMessage = (db: TenantReads, id: number) => db.maybeOne(reset, { id });

const remove = tenantSql<never, { id: number }>(
  'messages_delete',
  'delete from call_messages where tenant_id = $tenantId and id = $id',
);

/** In any state; what it stated about a call stays. False where there is no such message. */
export const deleteMessage = async (db: TenantReads, id: number) => (await db.run(remove, { id })) === 1;

const PURGED_AT_ONCE = 200;

/** Days for which each is kept. */
export interface MessageRetention {
  /** Messages that were applied or ignored, and unreadable ones of a source that is deleted. */
  settled: number;
  unreadable: number;
}

const purgeSettled = systemSql<never, { days: number }>(
  'messages_purge',
  `delete from call_messages where (tenant_id, id) in (
     select tenant_id, id from call_messages
     where status in ('applied', 'ignored') and received_at < now() - $days * interval '1 day'
     order by received_at limit ${PURGED_AT_ONCE} for update skip locked)`,
);

const purgeUnreadable = systemSql<never, { days: number }>(
  'messages_purge_unreadable',
  `delete from call_messages where (tenant_id, id) in (
     select tenant_id, id from call_messages
     where status = 'unreadable' and received_at < now() - $days * interval '1 day'
     order by received_at limit ${PURGED_AT_ONCE} for update skip locked)`,
);

// By source, and of a source by its messages' ids: few sources are ever deleted.
const purgeOrphaned = systemSql<never, { days: number }>(
  'messages_purge_orphaned',
  `delete from call_messages where (tenant_id, id) in (
     select m.tenant_id, m.id from call_sources s join call_messages m on m.tenant_id = s.tenant_id and m.source_id = s.id
     where s.deleted_at < now() - $days * interval '1 day' and m.status = 'unreadable'
     limit ${PURGED_AT_ONCE} for update of m skip locked)`,
);

/** Removes some of what is past its time. @returns whether there may be more */
export async function purgeMessages(system: SystemScope, days: MessageRetention): Promise<boolean> {
  const removed = [
    await system.run(purgeSettled, { days: days.settled }),
    await system.run(purgeOrphaned, { days: days.settled }),
    await system.run(purgeUnreadable, { days: days.unreadable }),
  ];
  return removed.includes(PURGED_AT_ONCE);
}
