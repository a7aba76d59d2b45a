import type { ListCustomers } from '@frontdesk/contracts';
import { type TenantScope, type TenantStatement, tenantSql } from '@frontdesk/database';
import type { CustomerRow } from '../domain/customer.ts';
import { searchPatterns } from '../domain/search.ts';
import { CUSTOMER_COLUMNS, CUSTOMERS_COUNTER } from './customer.repository.ts';

/** Each filter's condition, `?` standing for its value. */
const CONDITIONS = {
  segment: 'c.segment = ?',
  stage: 'c.pipeline_stage = ?',
  search: 'c.search_text like ?',
  search2: '(c.search_text like ? or c.search_text like ?)',
} as const;

type FilterName = keyof typeof CONDITIONS;
type Filters = [name: FilterName, values: string[]][];

interface ListStatements {
  rows: TenantStatement<CustomerRow, unknown[]>;
  total: TenantStatement<{ total: number }, unknown[]>;
}

/** One statement for each combination of filters, so that the planner sees only the conditions that are there. */
const statements = new Map<string, ListStatements>();

function statementsFor(names: FilterName[]): ListStatements {
  const key = names.join('_');
  let found = statements.get(key);
  if (!found) {
    found = buildStatements(key || 'all', names);
    statements.set(key, found);
  }
  return found;
}

function buildStatements(key: string, names: FilterName[]): ListStatements {
  let parameter = 1;
  const conditions = names.map((name) =>
    CONDITIONS[name].replaceAll('?', () => {
      parameter += 1;
      return `$${parameter}`;
    }),
  );
  const from = `from customers c where ${['c.tenant_id = $1', ...conditions].join(' and ')}`;
  return {
    rows: tenantSql(
      `customers_list_${key}`,
      `select ${CUSTOMER_COLUMNS} ${from} order by c.id desc limit $${parameter + 1} offset $${parameter + 2}`,
    ),
    total: tenantSql(`customers_count_${key}`, `select count(*) as total ${from}`),
  };
}

function filtersOf(query: ListCustomers): Filters {
  const patterns = searchPatterns(query.search ?? '');
  const filters: Filters = [];
  if (query.segment) filters.push(['segment', [query.segment]]);
  if (query.pipeline_stage) filters.push(['stage', [query.pipeline_stage]]);
  if (patterns.length > 0) filters.push([patterns.length > 1 ? 'search2' : 'search', patterns]);
  return filters;
}

/** One page, newest first, and the number of all customers that match. */
export async function listCustomers(
  scope: TenantScope,
  query: ListCustomers,
): Promise<{ rows: CustomerRow[]; total: number }> {
  const filters = filtersOf(query);
  const values = filters.flatMap(([, given]) => given);
  const { rows, total } = statementsFor(filters.map(([name]) => name));
  const offset = (query.page - 1) * query.per_page;
  const [found, count] = await Promise.all([
    scope.many(rows, ...values, query.per_page, offset),
    filters.length === 0
      ? scope.total(CUSTOMERS_COUNTER)
      : scope.one(total, ...values).then((counted) => counted.total),
  ]);
  return { rows: found, total: count };
}
