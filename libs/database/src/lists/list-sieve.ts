import type { TenantScope } from '../scope/scopes.ts';
import type { Filtering, listStatements, PageRow, Split } from './list-statements.ts';

export type QuickTotal = (
  scope: TenantScope,
  filters: readonly Filtering<string>[],
) => Promise<number> | null;

/** What is read of a list: one row more than the page has, to tell whether the list goes on. */
export interface Window {
  given: readonly Filtering<string>[];
  sort: string;
  /** The values of the cursor; empty without one. */
  after: number[];
  limit: number;
  offset: number;
}

export interface Reading<Row> {
  found: PageRow<Row>[];
  total: number;
  isEstimate: boolean;
}

/** As many rows are looked at one by one, and walked if need be; of more, a sample. */
const WHOLE_ROWS = 5_000;
const SAMPLE_ROWS = 3_000;
/** Of a tenant with so many rows, an index asked for text finds few faster than it leaves out those of other tenants. */
const MANY_ROWS = 100_000;
/** A row that is gathered lies anywhere and costs as much as so many that are walked: by rows, or along an index that has all that is looked at. */
const WALKED_FOR_ONE_GATHERED = { rows: 4, index: 7 };
/** A walk goes so much further than the sample lets expect, and no further. */
const SLACK = 2;

const fieldOf = (sort: string) => sort.replace('-', '');
const valuesOf = (filters: readonly Filtering<string>[]) => filters.flatMap(([, ...values]) => values);
const namesOf = (filters: readonly Filtering<string>[]) => filters.map(([name]) => name);

/**
 * Reads pages where no index serves the filters and the sort together, a search for example. No one way is quick for
 * both what nearly every row matches and what hardly any does, so a bounded sample says which it is:
 *
 * - The common is met soon on a walk in the order of the sort. How many there are of it is estimated from the sample.
 * - The scarce is gathered by its own index, counted and sorted. What a walk unexpectedly doesn't fill is gathered too.
 *
 * Up to `WHOLE_ROWS` rows the sample is the whole and the total exact.
 */
export function createSieve<Row extends { id: number }>(options: {
  statements: ReturnType<typeof listStatements<Row, 'tenant'>>;
  served: Record<string, readonly string[]>;
  defaultSort: string;
  /** Filters whose total `quickTotal` knows, in every combination. */
  counted: readonly string[];
  quickTotal: QuickTotal;
  /** Sorts whose index has all that the definition's sieves look at, as long as no other index serves a filter. */
  covered: readonly string[];
}) {
  const { statements, served, defaultSort, counted, quickTotal, covered } = options;

  const split = (given: readonly Filtering<string>[], sort: string) => {
    const isServed = ([name]: Filtering<string>) => served[fieldOf(sort)]?.includes(name) ?? false;
    const base = given.filter(isServed);
    const sieve = given.filter((filter) => !isServed(filter));
    return { base, sieve, names: { base: namesOf(base), sieve: namesOf(sieve) } satisfies Split };
  };

  const estimate = async (scope: TenantScope, filters: readonly Filtering<string>[]) => {
    const answer = await scope.one(statements.estimate(namesOf(filters)), ...valuesOf(filters));
    return answer['QUERY PLAN'][0].Plan['Plan Rows'];
  };

  /** The total, the share of the rows that match, and how many rows there are to walk and to gather from. */
  const survey = async (scope: TenantScope, { given, sort }: Window) => {
    const exact = await quickTotal(scope, given);
    if (exact !== null) {
      const all = await quickTotal(scope, split(given, sort).base);
      return { total: exact, isEstimate: false, share: exact / (all || 1), rows: all ?? Infinity };
    }
    const order = given.some(([name]) => name === 'since') ? 'updated_at' : defaultSort;
    const { base, sieve, names } = split(given, order);
    const ofBase = (await quickTotal(scope, base)) ?? (await estimate(scope, base));
    const rows = ofBase < WHOLE_ROWS ? WHOLE_ROWS : SAMPLE_ROWS;
    const values = [...valuesOf(sieve), ...valuesOf(base), rows];
    const { hits, walked } = await scope.one(statements.sample(names, order), ...values);
    const share = hits / (walked || 1);
    if (walked < rows) return { total: hits, isEstimate: false, share, rows: walked };
    return { total: Math.round(share * ofBase), isEstimate: true, share, rows: ofBase };
  };

  const gather = async (scope: TenantScope, window: Window, isFromMany: boolean): Promise<Reading<Row>> => {
    const { given, sort, after, limit, offset } = window;
    const rows = await scope.many(
      statements.gatheredPage(namesOf(given), sort, { isAfterCursor: after.length > 0, isFromMany }),
      ...[...valuesOf(given), ...after, limit, offset],
    );
    const found = rows.filter(({ id }) => id !== null);
    return { found, total: rows[0]?.gathered ?? 0, isEstimate: false };
  };

  return {
    /** Where an index serves the filters in this order, and counters know the total, nothing has to be sieved. */
    isNeeded({ given, sort }: Window): boolean {
      const { sieve } = split(given, sort);
      return sieve.length > 0 || given.some(([name]) => !counted.includes(name));
    },
    async read(scope: TenantScope, window: Window): Promise<Reading<Row>> {
      const { given, sort, after, limit, offset } = window;
      const isAfterCursor = after.length > 0;
      const { share, rows: ofRows, ...total } = await survey(scope, window);
      const { base, sieve, names } = split(given, sort);

      if (!total.isEstimate && total.total <= offset) return { found: [], ...total };
      if (sieve.length === 0) {
        const found = await scope.many(
          statements.page(namesOf(given), sort, isAfterCursor),
          ...[...valuesOf(given), ...after, limit, offset],
        );
        return { found, ...total };
      }
      const isFromMany = ofRows >= MANY_ROWS;
      const toWalk = Math.min((offset + limit) / share, ofRows);
      const isByRow = base.length > 0 || names.sieve.includes('since');
      const isCovered = !isByRow && covered.includes(fieldOf(sort));
      const walkedForOne = WALKED_FOR_ONE_GATHERED[isCovered ? 'index' : 'rows'];
      if (toWalk > Math.max(total.total * walkedForOne, WHOLE_ROWS)) {
        return gather(scope, window, isFromMany);
      }
      const rows = Math.ceil(Math.max(toWalk * SLACK, WHOLE_ROWS));
      const found = await scope.many(
        statements.walkedPage(names, sort, isAfterCursor),
        ...[...valuesOf(base), ...after, rows, ...valuesOf(sieve), limit, offset],
      );
      const isAll = !total.isEstimate && !isAfterCursor && offset + found.length >= total.total;
      return isAll || found.length === limit ? { found, ...total } : gather(scope, window, isFromMany);
    },
  };
}
