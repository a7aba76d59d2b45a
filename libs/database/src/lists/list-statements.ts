import { createHash } from 'node:crypto';
import { channel } from 'node:diagnostics_channel';
import type { Sort } from '@frontdesk/contracts';
import { type Numbered, numberNames } from '../scope/parameters.ts';
import type { TenantScope } from '../scope/scopes.ts';
import { declared } from '../scope/statements.ts';
import { type SortColumn, type SortSql, sortSql } from './list-sql.ts';

/** A filter and the values of its parameters. */
export type Filtering<Filter> = readonly [filter: Filter, values: Readonly<Record<string, unknown>>];

export interface ListDefinition<Filter extends string, Field extends string> {
  /** Begins the statements' names. */
  name: string;
  /** Which list a cursor is good for; that of its name unless several show the same one. */
  cursorsOf?: string;
  /** The table, with `tenant_id` and `id`; and `updated_at`, where a query has `updated_since`. */
  from: string;
  /** A condition that every listed row meets. */
  onlyWhere?: string;
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
  /** Each filter's condition. No two of them that go together have a parameter of the same name. */
  filters: Record<Filter, string>;
  sorts: Record<Field, SortColumn>;
  defaultSort: Sort<Field>;
}

/** Whose rows a list holds: one tenant's, or, for operators, those of all. */
export type ListKind = 'tenant' | 'system';

/** A `TenantStatement` or a `SystemStatement`. */
export interface ListStatement<Kind extends ListKind, Row> extends Numbered {
  readonly kind: Kind;
  readonly name: string;
  /** Whether the values decide which plan is good: none is kept for whichever come next. */
  readonly isPlannedAnew?: boolean;
  readonly row?: Row;
  readonly args?: Record<string, unknown>;
}

const OF_KIND = { tenant: 'tenant_id = $tenantId', system: 'true' } as const;

/** Rows of a page, each with what the cursor after it carries. */
export type PageRow<Row> = Row & { cursor_value: number | string };

/** PostgreSQL and node-postgres know prepared statements by as many characters of their names. */
const MAX_NAME = 63;

/** The name itself where it fits, else its beginning and a hash of it all. */
function shortened(name: string): string {
  if (name.length <= MAX_NAME) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 12);
  return `${name.slice(0, MAX_NAME - hash.length - 1)}_${hash}`;
}

/** Each list, as it is defined: the check of statements asks it for those of each filter and sort. */
const lists = channel('frontdesk:list');

/**
 * The statements of a list. Each sort, going on from a cursor, and each set of filters have some of their own, so that
 * each is planned for the index that serves it.
 */
export function listStatements<Row, Kind extends ListKind>(
  kind: Kind,
  definition: Omit<ListDefinition<string, string>, 'totalOf'>,
) {
  const { name, from, onlyWhere, columns, filters, complete = (page: string) => page } = definition;
  const sorts = new Map<string, SortSql>();
  for (const [field, column] of Object.entries(definition.sorts)) {
    sorts.set(field, sortSql(column, 'asc'));
    sorts.set(`-${field}`, sortSql(column, 'desc'));
  }
  const known = new Map<string, ListStatement<Kind, unknown>>();

  /** One more statement of the list, named after these parts. */
  const statement = <Result>(
    parts: readonly string[],
    text: () => string,
    options: Pick<ListStatement<Kind, Result>, 'isPlannedAnew'> = {},
  ) =>
    known.getOrInsertComputed(shortened([name, ...parts].join('_')), (key) =>
      declared({ kind, name: key, ...numberNames(key, text()), ...options }),
    ) as ListStatement<Kind, Result>;

  const sortOf = (sort: string) => sorts.get(sort) as SortSql;
  const where = (names: readonly string[], after?: string) =>
    [
      OF_KIND[kind],
      ...(onlyWhere ? [onlyWhere] : []),
      ...names.map((filter) => filters[filter]),
      ...(after ? [after] : []),
    ].join(' and ');

  const statements = {
    statement,
    sortOf,
    /** The condition of the rows that these filters let through, and of those after a cursor. */
    where,
    /** Takes the filters' values, the cursor's where there is one, `limit` and `offset`. */
    page(names: readonly string[], sort: string, isAfterCursor: boolean) {
      const { orderBy, cursorValue, after } = sortOf(sort);
      return statement<PageRow<Row>>([sort, ...(isAfterCursor ? ['after'] : []), ...names], () =>
        complete(
          `select ${columns}, ${cursorValue} as cursor_value from ${from}
           where ${where(names, isAfterCursor ? after : undefined)} order by ${orderBy} limit $limit offset $offset`,
        ),
      );
    },
    /** Takes the filters' values. */
    count: (names: readonly string[]) =>
      statement<{ total: number }>(
        ['count', ...names],
        () => `select count(*) as total from ${from} where ${where(names)}`,
      ),
  };
  if (lists.hasSubscribers)
    lists.publish({ statements, filters: Object.keys(filters), sorts: [...sorts.keys()] });
  return statements;
}

export type ListStatements<Row, Kind extends ListKind> = ReturnType<typeof listStatements<Row, Kind>>;
