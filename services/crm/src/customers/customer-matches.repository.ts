import {
  type ListReading,
  type ListStatements,
  type ListWindow,
  type PageRow,
  type TenantReads,
  valuesOfFilters,
} from '@frontdesk/database';
import { CUSTOMER_COLUMNS } from './customer.repository.ts';
import type { CustomerRow } from './customer.rules.ts';
import { countCustomers } from './customer-count.repository.ts';
import { gramsOf } from './search.rules.ts';

type Statements = ListStatements<CustomerRow, 'tenant'>;
type Given = ListWindow['given'];

/** Up to so many customers who match are all found, counted and sorted. */
const MOST_FOUND = 10_000;
/** A sample that says more than so many times `MOST_FOUND` is hardly ever wrong about there being more than that. */
const CERTAINLY_MORE = 3;
/** Of a long list, so many customers are looked at to estimate how many match. */
const SAMPLED = 500;
/** A walk goes so many times as far as an even spread would let it go. */
const SLACK = 2;
/** What an index in the order of the sort serves as well: a walk passes only these rows. */
const SERVED: Record<string, readonly string[]> = {
  created_at: ['segment', 'stage'],
  updated_at: ['since'],
};

/** What is kept of each match to sort it by. */
const KEYS: Record<string, string> = { name: 'search_text' };

const namesOf = (given: Given) => given.map(([name]) => name);

/**
 * Reads a page of customers: the one whose whole number has been searched for, then the others. A number hardly ever changes, so each page
 * of a walk has the same customer first.
 */
export async function readCustomers(
  db: TenantReads,
  window: ListWindow,
  statements: Statements,
): Promise<ListReading<CustomerRow>> {
  const { sort, after, limit, offset } = window;
  const given = window.given.filter(([name]) => name !== 'searched_phone');
  if (given.length === window.given.length) return readMatches(db, window, statements);
  // Indexes find it.
  const [first] = await db.many(statements.page(namesOf(window.given), sort, false), {
    ...valuesOfFilters(window.given),
    limit: 1,
    offset: 0,
  });
  if (!first) return readMatches(db, { ...window, given }, statements);

  const others = { ...window, given: [...given, ['other_than', { otherThan: first.id }] as const] };
  const read = async (place: Pick<ListWindow, 'after' | 'limit' | 'offset'>) => {
    const { found, total, ...rest } = await readMatches(db, { ...others, ...place }, statements);
    return { found, total: total + 1, ...rest };
  };
  // Behind the first one, by the cursor that names it or by its place, all the others follow.
  if (after) return read({ after: after.afterId === first.id ? null : after, limit, offset });
  if (offset > 0) return read({ after, limit, offset: offset - 1 });
  const { found, ...rest } = await read({ after, limit: limit - 1, offset });
  return { found: [first, ...found], ...rest };
}

/**
 * Reads a page of those who match. No index serves a search and the order of the list together, so there are two ways:
 *
 * - Up to `MOST_FOUND` matches are found by whichever index has them, counted and sorted.
 * - More than that are mostly met soon on a walk along the list. Their total is an estimate, unless counters know it. Where the walk
 *   meets too few, since they all lie at the other end, they are all found after all.
 */
async function readMatches(
  db: TenantReads,
  window: ListWindow,
  statements: Statements,
): Promise<ListReading<CustomerRow>> {
  const { given, sort, after, limit, offset } = window;
  if (namesOf(given).includes('phone')) return readByPhone(db, window, statements);
  const counted = await countCustomers(db, valuesOfFilters(given));
  if (counted !== null && (given.length === 0 || sort.endsWith('created_at'))) {
    const page = statements.page(namesOf(given), sort, after !== null);
    return {
      found: await db.many(page, { ...valuesOfFilters(given), ...after, limit, offset }),
      total: counted,
    };
  }
  const all = (await countCustomers(db, {})) ?? 0;
  const estimate = counted ?? (await estimateMatches(db, given, all, statements));
  if (estimate <= MOST_FOUND * (counted === null ? CERTAINLY_MORE : 1)) {
    const matches = await findMatches(db, window, statements, MOST_FOUND + 1);
    if (matches.total <= MOST_FOUND) return matches;
  }

  const likely = Math.max(estimate, MOST_FOUND + 1);
  const rows = Math.ceil((SLACK * (offset + limit) * all) / likely);
  // Beyond that, to find all of them takes less.
  const found = rows <= likely ? await walk(db, window, statements, rows) : [];
  if (found.length < limit) return findMatches(db, window, statements, null);
  // The last row is of the next page: the list goes on.
  if (counted !== null) return { found, total: counted };
  return { found, total: Math.max(likely, offset + found.length), total_is_estimate: true };
}

/** One or none, by indexes. */
async function readByPhone(
  db: TenantReads,
  { given, sort, after, limit, offset }: ListWindow,
  statements: Statements,
): Promise<ListReading<CustomerRow>> {
  const [names, values] = [namesOf(given), valuesOfFilters(given)];
  const [found, { total }] = await Promise.all([
    db.many(statements.page(names, sort, after !== null), { ...values, ...after, limit, offset }),
    db.one(statements.count(names), values),
  ]);
  return { found, total };
}

/** By a sample from the whole list; of a short list, its length. */
async function estimateMatches(
  db: TenantReads,
  given: Given,
  all: number,
  statements: Statements,
): Promise<number> {
  if (all <= MOST_FOUND) return all;
  const sample = statements.statement<{ share: number }>(
    ['sample', ...namesOf(given)],
    // The wider the gap of ids before a customer, the likelier is the customer in the sample, and the less does it say.
    () => `
      with ends as (select min(id) as first, max(id) as last from customers where tenant_id = $tenantId),
      sampled as (
        select c.*, 1 / (c.id - coalesce(previous.id, c.id - 1))::float8 as weight
        from ends cross join generate_series(0, ${SAMPLED - 1}) n cross join lateral (
          select * from customers where tenant_id = $tenantId and id >= first + (last - first) * n / ${SAMPLED} order by id limit 1
        ) c left join lateral (
          select id from customers where tenant_id = $tenantId and id < c.id order by id desc limit 1
        ) previous on true
      )
      select coalesce(sum(weight) filter (where ${statements.where(namesOf(given))}) / sum(weight), 0) as share from sampled c`,
  );
  const { share } = await db.one(sample, valuesOfFilters(given));
  return Math.round(all * share);
}

/** A page of those who match among so many customers, in the order of the list. */
function walk(
  db: TenantReads,
  { given, sort, after, limit, offset }: ListWindow,
  statements: Statements,
  rows: number,
): Promise<PageRow<CustomerRow>[]> {
  const served = SERVED[sort.replace('-', '')] ?? [];
  const passed = given.filter(([name]) => served.includes(name));
  const left = given.filter(([name]) => !served.includes(name));
  const isAfterCursor = after !== null;
  const order = statements.sortOf(sort);
  const page = statements.statement<PageRow<CustomerRow>>(
    [sort, 'walk', ...(isAfterCursor ? ['after'] : []), ...namesOf(passed), 'then', ...namesOf(left)],
    () => `
      select ${CUSTOMER_COLUMNS}, ${order.cursorValue} as cursor_value
      from (
        select * from customers c where ${statements.where(namesOf(passed), isAfterCursor ? order.after : undefined)}
        order by ${order.orderBy} limit $rows
      ) c
      where ${statements.where(namesOf(left))} order by ${order.orderBy} limit $limit offset $offset`,
  );
  return db.many(page, { ...valuesOfFilters(given), ...after, rows, limit, offset });
}

/** A page of the first `most` matches that an index finds (null: of all), and how many these are. */
async function findMatches(
  db: TenantReads,
  { given, sort, after, limit, offset }: ListWindow,
  statements: Statements,
  most: number | null,
): Promise<{ found: PageRow<CustomerRow>[]; total: number }> {
  const [names, isAfterCursor] = [namesOf(given), after !== null];
  const order = statements.sortOf(sort);
  // Texts that are too short for the index of trigrams have one of characters and pairs.
  const shorts = given.flatMap(([name, texts]) =>
    name.startsWith('short') ? Object.values(texts) : [],
  ) as string[];
  const grams = Object.fromEntries(shorts.map((text, index) => [`grams${index}`, gramsOf(text)]));
  const byGrams = Object.keys(grams)
    .map((name) => `search_grams(c.search_text) @> $${name}::text[]`)
    .join(' or ');
  const condition = statements.where(names) + (byGrams && ` and (${byGrams})`);
  const matches = statements.statement<PageRow<CustomerRow> & { matches: number }>(
    [sort, 'matches', ...(isAfterCursor ? ['after'] : []), ...names],
    // The limit has a query of its own: PostgreSQL finds no more than it takes, but plans as for all of them. For the first of
    // many it would walk through the table, where all of them may lie at the end.
    () => `
      with matching as materialized (
        select id, ${KEYS[sort.replace('-', '')] ?? 'updated_at'} from customers c where ${condition}
      ), matches as materialized (
        select * from matching limit $most
      ), page as (
        select id, ${order.cursorValue} as cursor_value, row_number() over (order by ${order.orderBy}) as place
        from matches where ${isAfterCursor ? order.after : 'true'} order by place limit $limit offset $offset
      )
      select counted.matches, page.cursor_value, ${CUSTOMER_COLUMNS}
      from (select count(*) as matches from matches) counted
        left join (page join customers c on c.tenant_id = $tenantId and c.id = page.id) on true
      order by place`,
    // Which index has the fewest rows to look at depends on what is asked for.
    { isPlannedAnew: true },
  );
  const rows = await db.many(matches, { ...valuesOfFilters(given), ...grams, most, ...after, limit, offset });
  // An empty page is a row without a customer.
  return { found: rows.filter(({ id }) => id !== null), total: rows[0]?.matches ?? 0 };
}
