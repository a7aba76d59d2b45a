import { type Cursor, encodeCursor, type PageQuery, type Sort } from '@frontdesk/contracts';
import { invalid } from '@frontdesk/service';
import type { Database } from './database.ts';
import { createSieve, type QuickTotal, type Window } from './list-sieve.ts';
import { type Filtering, type ListDefinition, listStatements } from './list-statements.ts';
import { settledTotal } from './list-total.ts';
import type { TenantScope } from './scopes.ts';
import { settledHorizon } from './settled-horizon.ts';

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

/**
 * A paginated list of one tenant's rows. With `updated_since` it is sorted by `updated_at`, unless the query says
 * otherwise, and holds only what is settled: see `settledHorizon`.
 */
export function defineList<Row extends { id: number }, Filter extends string, Field extends string>(
  definition: ListDefinition<Filter, Field>,
): ReadPage<Row, Filter, Field> {
  const { counter, totalOf, counted: countable = [], served, defaultSort } = definition;
  const statements = listStatements<Row>({
    ...definition,
    filters: {
      ...definition.filters,
      since: 'updated_at >= to_timestamp(?) and updated_at < to_timestamp(?)',
    },
  });

  const quickTotal: QuickTotal = (scope, filters) => {
    if (filters.some(([name]) => name === 'since')) return null;
    const total = totalOf?.(scope, filters as readonly Filtering<Filter>[]);
    return total ?? (counter !== undefined && filters.length === 0 ? scope.total(counter) : null);
  };
  const sieve =
    served && createSieve<Row>({ statements, served, defaultSort, counted: countable, quickTotal });

  const readWhole = async (scope: TenantScope, { given, sort, after, limit, offset }: Window) => {
    const names = given.map(([name]) => name);
    const values = given.flatMap(([, ...own]) => own);
    const [found, total] = await Promise.all([
      scope.many(statements.page(names, sort, after.length > 0), ...values, ...after, limit, offset),
      quickTotal(scope, given) ??
        scope.one(statements.count(names), ...values).then((counted) => counted.total),
    ]);
    return { found, total, isEstimate: false };
  };

  return async (database, tenantId, { page, per_page, sort: wanted, cursor, updated_since }, filters) => {
    const scope = database.forTenant(tenantId);
    const sort = wanted ?? (updated_since === undefined ? defaultSort : 'updated_at');
    if (cursor && cursor.sort !== sort) {
      throw invalid({ cursor: [`The cursor field was made for another sort than ${sort}.`] });
    }
    const given: Filtering<string>[] = filters.filter(([, ...values]) => !values.includes(undefined));
    if (updated_since !== undefined) {
      const { horizon } = await database.system.one(settledHorizon);
      given.push(['since', updated_since, horizon]);
    }

    const offset = cursor ? 0 : (page - 1) * per_page;
    const after = cursor ? statements.sortOf(sort).afterValues(cursor) : [];
    // One row more than the page tells whether the list goes on.
    const window: Window = { given, sort, after, limit: per_page + 1, offset };
    const { found, ...counted } = await (sieve?.isNeeded(window) ? sieve.read : readWhole)(scope, window);

    const rows = found.slice(0, per_page);
    const hasMore = found.length > rows.length;
    const seen = { offset: cursor ? undefined : offset, rows: rows.length, hasMore };
    const total = settledTotal(counted, seen);
    const last = rows.at(-1);
    if (!last || !hasMore) return { rows, ...total };
    return { rows, ...total, next_cursor: encodeCursor({ sort, value: last.cursor_value, id: last.id }) };
  };
}
