import type { ListCustomers } from '@frontdesk/contracts';
import { type Database, defineList } from '@frontdesk/database';
import type { CustomerRow } from '../domain/customer.ts';
import { searchPatterns } from '../domain/search.ts';
import { CUSTOMER_COLUMNS, CUSTOMERS_COUNTER } from './customer.repository.ts';

type Filter = 'segment' | 'stage' | 'search' | 'search2';

const readPage = defineList<CustomerRow, Filter, 'created_at' | 'updated_at'>({
  name: 'customers',
  from: 'customers c',
  columns: CUSTOMER_COLUMNS,
  counter: CUSTOMERS_COUNTER,
  filters: {
    segment: 'c.segment = ?',
    stage: 'c.pipeline_stage = ?',
    search: 'c.search_text like ?',
    search2: '(c.search_text like ? or c.search_text like ?)',
  },
  sorts: {
    // Ids are given in the order of creation, and each filter's index goes on by id.
    created_at: { column: 'id' },
    updated_at: { column: 'updated_at' },
  },
  defaultSort: '-created_at',
});

/** One page, newest first unless the query says otherwise. */
export function listCustomers(database: Database, tenantId: number, query: ListCustomers) {
  const patterns = searchPatterns(query.search ?? '');
  const search = patterns.length > 1 ? 'search2' : 'search';
  return readPage(database, tenantId, query, [
    ['segment', query.segment],
    ['stage', query.pipeline_stage || undefined],
    ...(patterns.length > 0 ? [[search, ...patterns] as const] : []),
  ]);
}
