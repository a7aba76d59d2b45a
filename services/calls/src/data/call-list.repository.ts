import type { ListCallsAdmin } from '@frontdesk/contracts';
import { type Database, defineList } from '@frontdesk/database';
import type { CallAdminColumns, CallListRow } from '../domain/call.ts';
import { ADMIN_COLUMNS, LIST_COLUMNS } from './call.repository.ts';
import { countCalls } from './call-count.repository.ts';

type Filter = 'from' | 'to' | 'sent' | 'miss' | 'cust' | 'outc' | 'dir' | 'src';

/** Filters that few values can be had of: each combination is counted as calls come in. */
const COUNTED: Partial<Record<Filter, keyof ListCallsAdmin>> = {
  sent: 'sentiment',
  miss: 'missed',
  outc: 'outcome',
  dir: 'direction',
};

// Short names: a statement bears those of all its filters.
const readPage = defineList<CallListRow & CallAdminColumns, Filter, 'started_at' | 'updated_at'>({
  name: 'calls',
  from: '(select * from calls where is_complete) calls',
  columns: `${LIST_COLUMNS}, ${ADMIN_COLUMNS}`,
  totalOf(scope, filters) {
    if (filters.some(([filter]) => COUNTED[filter] === undefined)) return null;
    return countCalls(scope, Object.fromEntries(filters.map(([filter, value]) => [COUNTED[filter], value])));
  },
  filters: {
    from: 'started_at >= ?',
    to: 'started_at < ?',
    sent: 'sentiment = ?',
    miss: 'is_missed = ?',
    cust: 'customer_id = ?',
    outc: 'outcome = ?',
    dir: 'direction = ?',
    src: 'source_id = ?',
  },
  sorts: { started_at: { column: 'started_at' }, updated_at: { column: 'updated_at' } },
  defaultSort: '-started_at',
});

/** Up to, but without, `until`. */
export interface CallRange {
  from?: Date;
  until?: Date;
}

/** One page, newest first unless the query says otherwise. */
export const listCalls = (database: Database, tenantId: number, query: ListCallsAdmin, range: CallRange) =>
  readPage(database, tenantId, query, [
    ['from', range.from],
    ['to', range.until],
    ['sent', query.sentiment],
    ['miss', query.missed],
    ['cust', query.customer_id],
    ['outc', query.outcome],
    ['dir', query.direction],
    ['src', query.source_id],
  ]);
