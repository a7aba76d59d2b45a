import { type TenantReads, tenantSql } from '@frontdesk/database';
import type { CallAdminColumns, CallListRow } from '../domain/call.ts';
import { ADMIN_COLUMNS, LIST_COLUMNS } from './call.repository.ts';

type MarkedCall = CallListRow & CallAdminColumns;

// Neither changes the record that integrators know: its version and `updated_at` stay.
const mark = tenantSql<MarkedCall, [id: number, by: string]>(
  'call_backs_mark',
  `update calls set called_back_at = coalesce(called_back_at, now()), called_back_by = coalesce(called_back_by, $3)
   where tenant_id = $1 and id = $2 and is_complete and is_missed and direction = 'inbound'
   returning ${LIST_COLUMNS}, ${ADMIN_COLUMNS}`,
);

const unmark = tenantSql<MarkedCall, [id: number]>(
  'call_backs_unmark',
  `update calls set called_back_at = null, called_back_by = null where tenant_id = $1 and id = $2 and is_complete
   returning ${LIST_COLUMNS}, ${ADMIN_COLUMNS}`,
);

/** Notes who called back; the first who said so stays. Null where there is no such missed call. */
export const markCalledBack = (db: TenantReads, id: number, by: string) => db.maybeOne(mark, id, by);

/** Null where there is no such call. */
export const unmarkCalledBack = (db: TenantReads, id: number) => db.maybeOne(unmark, id);
