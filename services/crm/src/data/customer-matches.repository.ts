import type { ListReading, ListStatements, ListWindow, TenantScope } from '@frontdesk/database';
import type { CustomerRow } from '../domain/customer.ts';
import { estimatedTotal } from '../domain/estimated-total.ts';
import { gramsOf } from '../domain/search.ts';
import { CUSTOMER_COLUMNS } from './customer.repository.ts';
import { countCustomers } from './customer-count.repository.ts';

type Statements = ListStatements<CustomerRow, 'tenant'>;
type Given = ListWindow['given'];

/** Up to so many customers who match are all found, counted and sorted. */
const MOST_FOUND = 10_000;
/** Of a long list, so many customers tell how many match. */
const SAMPLED = 500;

const namesOf = (given: Given) => given.map(([name]) => name);
const valuesOf = (given: Given) => given.flatMap(([, ...values]) => values);

/**
 * Reads a page of customers. No index serves a search and the order of the list together, so there are two ways:
 *
 * - Up to `MOST_FOUND` matches are found by whichever index has them, counted and sorted.
 * - More than that are common enough to be met soon on the way along the list. Their total is an estimate, unless counters know it.
 */
export async function readCustomers(
  scope: TenantScope,
  window: ListWindow,
  statements: Statements,
): Promise<ListReading<CustomerRow>> {
  const { given, sort, after, limit, offset } = window;
  const known = await countCustomers(scope, new Map(given.map(([name, value]) => [name, value])));
  const likely = known ?? (await estimateMatches(scope, given, statements));

  const isInOrderOfAnIndex = given.length === 0 || (known !== null && sort.endsWith('created_at'));
  if (likely <= MOST_FOUND && !isInOrderOfAnIndex) {
    const { found, total } = await findMatches(scope, window, statements);
    if (total <= MOST_FOUND) return { found, total };
  }
  const found = await scope.many(
    statements.page(namesOf(given), sort, after.length > 0),
    ...[...valuesOf(given), ...after, limit, offset],
  );
  if (known !== null) return { found, total: known };
  return { found, ...estimatedTotal(Math.max(likely, MOST_FOUND + 1), window, found.length) };
}

/** By a sample that is spread over the whole list; of a short list, its length. */
async function estimateMatches(scope: TenantScope, given: Given, statements: Statements): Promise<number> {
  const all = (await countCustomers(scope, new Map())) ?? 0;
  if (all <= MOST_FOUND) return all;
  const sample = statements.statement<{ share: number }>(
    ['sample', ...namesOf(given)],
    () => `
      with ends as (select min(id) as first, max(id) as last from customers where tenant_id = $1)
      select coalesce(avg((${statements.where(namesOf(given))})::integer), 0)::float8 as share
      from ends cross join generate_series(0, ${SAMPLED - 1}) n cross join lateral (
        select * from customers where tenant_id = $1 and id >= first + (last - first) * n / ${SAMPLED} order by id limit 1
      ) c`,
  );
  const { share } = await scope.one(sample, ...valuesOf(given));
  return Math.round(all * share);
}

/** A page of matches, and how many there are in all: at most one more than `MOST_FOUND`. */
async function findMatches(
  scope: TenantScope,
  { given, sort, after, limit, offset }: ListWindow,
  statements: Statements,
): Promise<{ found: (CustomerRow & { cursor_value: number })[]; total: number }> {
  const [names, isAfterCursor] = [namesOf(given), after.length > 0];
  const order = statements.sortOf(sort);
  // Texts that are too short for the index of trigrams have one of characters and pairs.
  const shorts = given.flatMap(([name, ...texts]) => (name.startsWith('short') ? (texts as string[]) : []));
  const byGrams = shorts.map(() => 'search_grams(c.search_text) @> ?::text[]').join(' or ');
  const condition = statements.where(names) + (byGrams && ` and (${byGrams})`);
  const matches = statements.statement<CustomerRow & { cursor_value: number; matches: number }>(
    [sort, 'matches', ...(isAfterCursor ? ['after'] : []), ...names],
    () => `
      with matches as materialized (
        select id, updated_at from customers c where ${condition} limit ${MOST_FOUND + 1}
      ), page as (
        select id, ${order.cursorValue} as cursor_value, row_number() over (order by ${order.orderBy}) as place
        from matches where ${isAfterCursor ? order.after : 'true'} order by place limit ? offset ?
      )
      select counted.matches, page.cursor_value, ${CUSTOMER_COLUMNS}
      from (select count(*) as matches from matches) counted
        left join (page join customers c on c.tenant_id = $1 and c.id = page.id) on true
      order by place`,
    // Which index has the fewest rows to look at depends on what is asked for.
    { isPlannedAnew: true },
  );
  const rows = await scope.many(
    matches,
    ...[...valuesOf(given), ...shorts.map(gramsOf), ...after, limit, offset],
  );
  // An empty page is a row without a customer.
  return { found: rows.filter(({ id }) => id !== null), total: rows[0]?.matches ?? 0 };
}
