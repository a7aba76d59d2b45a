import type { ListCallMessages } from '@frontdesk/contracts';
import {
  type Database,
  defineList,
  type TenantReads,
  type TenantTransaction,
  tenantSql,
} from '@frontdesk/database';
import type { CallMessageRow } from '../domain/call-message.ts';

// The length is kept beside a stored body: reading it doesn't read the body.
const COLUMNS =
  'id, source_id, status, reason, call_id, content_type, octet_length(body) as bytes, is_test, received_at';

const readPage = defineList<CallMessageRow, 'id' | 'source' | 'status', 'id'>({
  name: 'messages',
  from: 'call_messages',
  columns: COLUMNS,
  filters: { id: 'id = ?', source: 'source_id = ?', status: 'status = ?' },
  sorts: { id: { column: 'id' } },
  defaultSort: '-id',
});

/** One page, newest first. */
export const listMessages = (database: Database, tenantId: number, query: ListCallMessages) =>
  readPage(database, tenantId, query, [
    ['id', query.id],
    ['source', query.source_id],
    ['status', query.status],
  ]);

const findWithBody = tenantSql<CallMessageRow & { body: Buffer }, [id: number]>(
  'messages_find_with_body',
  `select ${COLUMNS}, body from call_messages where tenant_id = $1 and id = $2`,
);

export const findMessage = (db: TenantReads, id: number) => db.maybeOne(findWithBody, id);

const reset = tenantSql<CallMessageRow, [id: number]>(
  'messages_reset',
  `update call_messages set status = 'received', reason = null, attempts = 0, due_at = now()
   where tenant_id = $1 and id = $2 returning ${COLUMNS}`,
);

/** Has the message read again. Null where there is none. */
export const resetMessage = (tx: TenantTransaction, id: number) => tx.maybeOne(reset, id);

const remove = tenantSql<never, [id: number]>(
  'messages_delete',
  'delete from call_messages where tenant_id = $1 and id = $2',
);

/** In any state; what it stated about a call stays. False where there is no such message. */
export const deleteMessage = async (tx: TenantTransaction, id: number) => (await tx.run(remove, id)) === 1;
