import type { ListCallsAdmin } from '@frontdesk/contracts';
import { type Database, defineList, valuesOfFilters } from '@frontdesk/database';
import { ADMIN_COLUMNS, LIST_COLUMNS, SERVED_APPOINTMENT } from './call.repository.ts';
import type { CallAdminColumns, CallListRow } from './call.rules.ts';
import { countCalls } from './call-count.repository.ts';

type Filter = 'from' | 'to' | 'sent' | 'miss' | 'cust' | 'outc' | 'dir' | 'src' | 'appt';

/** Filters that few values can be had of: each combination is counted as calls come in. */
const COUNTED: readonly Filter[] = ['sent', 'miss', 'outc', 'dir'];

// Short names: a statement bears those of all its filters.
const readPage = defineList<CallListRow & CallAdminColumns, Filter, 'started_at' | 'updated_at'>({
  name: 'calls',
  from: '(select * from calls where is_complete) calls',
  columns: `${LIST_COLUMNS}, ${ADMIN_COLUMNS}`,
  totalOf(scope, filters) {
    return filters.every(([filter]) => COUNTED.includes(filter))
      ? countCalls(scope, valuesOfFilters(filters))
      : null;
  },
  filters: {
    from: 'started_at >= $from',
    to: 'started_at < $to',
    sent: 'sentiment = $sentiment',
    miss: 'is_missed = $missed',
    cust: 'customer_id = $customerId',
    outc: 'outcome = $outcome',
    dir: 'direction = $direction',
    src: 'source_id = $sourceId',
    appt: `${SERVED_APPOINTMENT} = $appointmentId`,
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
    ['from', { from: range.from }],
    ['to', { to: range.until }],
    ['sent', { sentiment: query.sentiment }],
    ['miss', { missed: query.missed }],
    ['cust', { customerId: query.customer_id }],
    ['outc', { outcome: query.outcome }],
    ['dir', { direction: query.direction }],
    ['src', { sourceId: query.source_id }],
    ['appt', { appointmentId: query.appointment_id }],
  ]);
