import { type Cursor, encodeCursor, type PageQuery, type Sort } from '@frontdesk/contracts';
import { invalid } from '@frontdesk/service';
import type { Database } from '../database.ts';
import type { SystemScope, TenantScope } from '../scope/scopes.ts';
import { createSieve, type QuickTotal, type Reading, type Window } from './list-sieve.ts';
import {
  type Filtering,
  type ListDefinition,
  type ListKind,
  type ListStatement,
  listStatements,
} from './list-statements.ts';
import { settledTotal } from './list-total.ts';
import { settledHorizon, settledHorizonForTenant } from './settled-horizon.ts';

interface Query<Field extends string> extends PageQuery {
  sort?: Sort<Field> | undefined;
  cursor?: Cursor | undefined;
  /** In seconds since the epoch. */
  updated_since?: number | undefined;
}

interface Page<Row> {
  rows: Row[];
  /** All that the filters let through, on whichever page. */
  total: number;
  /** Only where the total is not exact. */
  total_is_estimate?: true;
  /** Only where the list goes on. */
  next_cursor?: string;
}

/** Reads one page of a list. Filters with a value that is undefined are left out. @throws AppError 422 on `cursor` */
type ReadPage<Row, Filter, Field extends string> = (
  database: Database,
  tenantId: number,
  query: Query<Field>,
  filters: readonly Filtering<Filter>[],
) => Promise<Page<Row>>;

/** The same of all tenants' rows. */
type ReadSystemPage<Row, Filter, Field extends string> = (
  database: Database,
  query: Query<Field>,
  filters: readonly Filtering<Filter>[],
) => Promise<Page<Row>>;

/** What a list is read with. */
interface ListScope<Kind extends ListKind> {
  many<Row>(statement: ListStatement<Kind, Row>, ...args: unknown[]): Promise<Row[]>;
  one<Row>(statement: ListStatement<Kind, Row>, ...args: unknown[]): Promise<Row>;
}

const SINCE = 'updated_at >= to_timestamp(?) and updated_at < to_timestamp(?)';

/**
 * A paginated list of one tenant's rows. With `updated_since` it is sorted by `updated_at`, unless the query says
 * otherwise, and holds only what is settled: see `settledHorizon`.
 */
export function defineList<Row extends { id: number }, Filter extends string, Field extends string>(
  definition: ListDefinition<Filter, Field>,
): ReadPage<Row, Filter, Field> {
  const { counter, totalOf, counted = [], served, covered = [], defaultSort, filters } = definition;
  const statements = listStatements<Row, 'tenant'>('tenant', {
    ...definition,
    filters: { ...filters, since: SINCE },
  });

  const quickTotal: QuickTotal = (scope, given) => {
    if (given.some(([name]) => name === 'since')) return null;
    const total = totalOf?.(scope, given as readonly Filtering<Filter>[]);
    return total ?? (counter !== undefined && given.length === 0 ? scope.total(counter) : null);
  };
  const sieve = served && createSieve<Row>({ statements, served, defaultSort, counted, quickTotal, covered });
  const readPage = pageReader<Row, TenantScope>(statements, defaultSort, {
    readHorizon: (scope) => scope.one(settledHorizonForTenant),
    read: (scope, window) =>
      sieve?.isNeeded(window)
        ? sieve.read(scope, window)
        : readWhole(statements, scope, window, quickTotal(scope, window.given)),
  });
  return (database, tenantId, query, given) => readPage(database.forTenant(tenantId), query, given);
}

/** A list of what is no single tenant's, for operators; otherwise as `defineList` makes them. */
export function defineSystemList<Row extends { id: number }, Filter extends string, Field extends string>(
  definition: Pick<
    ListDefinition<Filter, Field>,
    'name' | 'from' | 'columns' | 'filters' | 'sorts' | 'defaultSort'
  >,
): ReadSystemPage<Row, Filter, Field> {
  const { filters, defaultSort } = definition;
  const statements = listStatements<Row, 'system'>('system', {
    ...definition,
    filters: { ...filters, since: SINCE },
  });
  const readPage = pageReader<Row, SystemScope>(statements, defaultSort, {
    readHorizon: (scope) => scope.one(settledHorizon),
    read: (scope, window) => readWhole(statements, scope, window, null),
  });
  return (database, query, given) => readPage(database.system, query, given);
}

async function readWhole<Row, Kind extends ListKind>(
  statements: ReturnType<typeof listStatements<Row, Kind>>,
  scope: ListScope<Kind>,
  { given, sort, after, limit, offset }: Window,
  knownTotal: Promise<number> | null,
): Promise<Reading<Row>> {
  const names = given.map(([name]) => name);
  const values = given.flatMap(([, ...own]) => own);
  const [found, total] = await Promise.all([
    scope.many(statements.page(names, sort, after.length > 0), ...values, ...after, limit, offset),
    knownTotal ?? scope.one(statements.count(names), ...values).then((counted) => counted.total),
  ]);
  return { found, total, isEstimate: false };
}

/** Makes a window of a query, and a page of what is read in it. */
function pageReader<Row extends { id: number }, Scope>(
  { sortOf }: Pick<ReturnType<typeof listStatements<Row, ListKind>>, 'sortOf'>,
  defaultSort: string,
  {
    readHorizon,
    read,
  }: {
    readHorizon: (scope: Scope) => Promise<{ horizon: number }>;
    read: (scope: Scope, window: Window) => Promise<Reading<Row>>;
  },
) {
  return async (
    scope: Scope,
    { page, per_page, sort: wanted, cursor, updated_since }: Query<string>,
    filters: readonly Filtering<string>[],
  ): Promise<Page<Row>> => {
    const sort = wanted ?? (updated_since === undefined ? defaultSort : 'updated_at');
    if (cursor && cursor.sort !== sort) {
      throw invalid({ cursor: [`The cursor field was made for another sort than ${sort}.`] });
    }
    const given: Filtering<string>[] = filters.filter(([, ...values]) => !values.includes(undefined));
    if (updated_since !== undefined) {
      const { horizon } = await readHorizon(scope);
      given.push(['since', updated_since, horizon]);
    }

    const offset = cursor ? 0 : (page - 1) * per_page;
    const after = cursor ? sortOf(sort).afterValues(cursor) : [];
    // One row more than the page tells whether the list goes on.
    const { found, ...counted } = await read(scope, { given, sort, after, limit: per_page + 1, offset });

    const rows = found.slice(0, per_page);
    const hasMore = found.length > rows.length;
    const seen = { offset: cursor ? undefined : offset, rows: rows.length, hasMore };
    const total = settledTotal(counted, seen);
    const last = rows.at(-1);
    if (!last || !hasMore) return { rows, ...total };
    return { rows, ...total, next_cursor: encodeCursor({ sort, value: last.cursor_value, id: last.id }) };
  };
}
