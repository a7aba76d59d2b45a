import type { Sort } from '@frontdesk/contracts';
import { numbered, type SortColumn, type SortSql, sortSql } from './list-sql.ts';
import type { TenantScope } from './scopes.ts';
import { type TenantStatement, tenantSql } from './statements.ts';

export type Filtering<Filter> = readonly [filter: Filter, ...values: unknown[]];

export interface ListDefinition<Filter extends string, Field extends string> {
  /** Begins the statements' names. */
  name: string;
  /** The table, with `tenant_id` and `id`; and `updated_at`, where a query has `updated_since`. */
  from: string;
  columns: string;
  /**
   * Adds to a page, given as a subquery, what belongs to its rows. It has to repeat their order, and where the list is
   * walked by cursor, their `cursor_value`.
   */
  complete?: (page: string) => string;
  /** The counter behind the unfiltered total; without one the rows are counted. */
  counter?: string;
  /** A quicker way to the total of what these filters let through than to count it; null where there is none. */
  totalOf?: (scope: TenantScope, filters: readonly Filtering<Filter>[]) => Promise<number> | null;
  /** Each filter's condition, `?` standing for its values one after the other. */
  filters: Record<Filter, string>;
  sorts: Record<Field, SortColumn>;
  defaultSort: Sort<Field>;
}

/** Rows of a page, each with what the cursor after it carries. */
type PageRow<Row> = Row & { cursor_value: number };

/** PostgreSQL and node-postgres know prepared statements by as many characters of their names. */
const MAX_NAME = 63;

/**
 * The statements of a list. Each sort, going on from a cursor, and each set of filters have some of their own, so that
 * each is planned for the index that serves it.
 */
export function listStatements<Row>(definition: Omit<ListDefinition<string, string>, 'totalOf'>) {
  const { name, from, columns, filters, complete = (page: string) => page } = definition;
  const sorts = new Map<string, SortSql>();
  for (const [field, column] of Object.entries(definition.sorts)) {
    sorts.set(field, sortSql(column, 'asc'));
    sorts.set(`-${field}`, sortSql(column, 'desc'));
  }
  const [longestSort] = [...sorts.keys()].toSorted((a, b) => b.length - a.length);
  const longestName = [name, longestSort, 'after', ...Object.keys(filters)].join('_');
  if (longestName.length > MAX_NAME) throw new Error(`A statement's name would be too long: ${longestName}`);

  const known = new Map<string, TenantStatement<unknown, unknown[]>>();

  const statement = <Result>(parts: string[], text: () => string) =>
    known.getOrInsertComputed([name, ...parts].join('_'), (key) =>
      tenantSql(key, numbered(text())),
    ) as TenantStatement<Result, unknown[]>;

  const sortOf = (sort: string) => sorts.get(sort) as SortSql;
  const where = (names: string[], after?: string) =>
    ['tenant_id = $1', ...names.map((filter) => filters[filter]), ...(after ? [after] : [])].join(' and ');

  return {
    sortOf,
    /** Takes the filters' values, the cursor's where there is one, limit and offset. */
    page(names: string[], sort: string, isAfterCursor: boolean) {
      const { orderBy, cursorValue, after } = sortOf(sort);
      return statement<PageRow<Row>>([sort, ...(isAfterCursor ? ['after'] : []), ...names], () =>
        complete(
          `select ${columns}, ${cursorValue} as cursor_value from ${from}
           where ${where(names, isAfterCursor ? after : undefined)} order by ${orderBy} limit ? offset ?`,
        ),
      );
    },
    /** Takes the filters' values. */
    count: (names: string[]) =>
      statement<{ total: number }>(
        ['count', ...names],
        () => `select count(*) as total from ${from} where ${where(names)}`,
      ),
  };
}
