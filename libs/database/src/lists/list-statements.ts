import { createHash } from 'node:crypto';
import type { Sort } from '@frontdesk/contracts';
import type { TenantScope } from '../scope/scopes.ts';
import { numbered, type SortColumn, type SortSql, sortSql } from './list-sql.ts';

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
  /** Conditions that tell the same of a row at hand, for filters whose index is asked in a roundabout way. */
  sieves?: Partial<Record<Filter, string>>;
  /** Filters whose totals `totalOf` knows, in every combination. */
  counted?: readonly Filter[];
  /**
   * Given for a list that grows large, with a short name for its table in `from`: the filters, `since` among them, that an
   * index serves in the order of each sort. With any other filter it is read as list-sieve.ts does.
   */
  served?: Record<Field, readonly (Filter | 'since')[]>;
  /** Sorts whose index has all that `sieves` look at: a walk along it reads no rows. */
  covered?: readonly Field[];
  sorts: Record<Field, SortColumn>;
  defaultSort: Sort<Field>;
}

/** Whose rows a list holds: one tenant's, or, for operators, those of all. */
export type ListKind = 'tenant' | 'system';

/** A `TenantStatement` or a `SystemStatement`. */
export interface ListStatement<Kind extends ListKind, Row> {
  readonly kind: Kind;
  readonly name: string;
  readonly text: string;
  readonly row?: Row;
  readonly args?: unknown[];
}

const KINDS = {
  tenant: { condition: 'tenant_id = $1', first: 2 },
  system: { condition: 'true', first: 1 },
} as const;

/** Rows of a page, each with what the cursor after it carries. */
export type PageRow<Row> = Row & { cursor_value: number };

/** Filters whose rows an index yields in order, and those that pick from these. */
export interface Split {
  base: string[];
  sieve: string[];
}

/** PostgreSQL and node-postgres know prepared statements by as many characters of their names. */
const MAX_NAME = 63;

/** The name itself where it fits, else its beginning and a hash of it all. */
function shortened(name: string): string {
  if (name.length <= MAX_NAME) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 12);
  return `${name.slice(0, MAX_NAME - hash.length - 1)}_${hash}`;
}

/**
 * The statements of a list. Each sort, going on from a cursor, and each set of filters have some of their own, so that
 * each is planned for the index that serves it.
 */
export function listStatements<Row, Kind extends ListKind>(
  kind: Kind,
  definition: Omit<ListDefinition<string, string>, 'totalOf'>,
) {
  const { name, from, columns, filters, sieves = {}, complete = (page: string) => page } = definition;
  const sorts = new Map<string, SortSql>();
  for (const [field, column] of Object.entries(definition.sorts)) {
    sorts.set(field, sortSql(column, 'asc'));
    sorts.set(`-${field}`, sortSql(column, 'desc'));
  }
  const { condition, first } = KINDS[kind];
  const known = new Map<string, ListStatement<Kind, unknown>>();

  const statement = <Result>(parts: string[], text: () => string) =>
    known.getOrInsertComputed(shortened([name, ...parts].join('_')), (key) => ({
      kind,
      name: key,
      text: numbered(text(), first),
    })) as ListStatement<Kind, Result>;

  const sortOf = (sort: string) => sorts.get(sort) as SortSql;
  const conditions = (names: string[]) => names.map((filter) => filters[filter]);
  const where = (names: string[], after?: string) =>
    [condition, ...conditions(names), ...(after ? [after] : [])].join(' and ');
  /** To such an index a tenant of many rows is one more long list to go through: it is kept from it. */
  const whereOfMany = (names: string[]) =>
    names.some((filter) => sieves[filter])
      ? where(names).replace(condition, 'tenant_id + 0 = $1')
      : where(names);
  const sieved = (names: string[]) =>
    names.map((filter) => sieves[filter] ?? filters[filter]).join(' and ') || 'true';
  const keys = [...new Set(['id', ...Object.values(definition.sorts).map(({ column }) => column)])].join(
    ', ',
  );
  const alias = from.split(' ').at(-1) as string;
  /** The rows of a page that has only their ids. What finds it needs no more of each row than that and what it goes by. */
  const rowsOf = (page: string) =>
    `select ${columns}, cursor_value from (select *, row_number() over () as place from (${page}) page) page
     join lateral (select * from ${from} where ${condition} and id = page.id) ${alias} on true
     order by place`;
  const walk = (base: string[], orderBy: string, after?: string) =>
    `(select * from ${from} where ${where(base, after)} order by ${orderBy} limit ?) ${alias}`;

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
    /** A page from among the first rows of a walk. Takes the values of base and cursor, the walk's rows, the sieve's values, limit and offset. */
    walkedPage({ base, sieve }: Split, sort: string, isAfterCursor: boolean) {
      const { orderBy, cursorValue, after } = sortOf(sort);
      const parts = [sort, 'walk', ...(isAfterCursor ? ['after'] : []), ...base, ...sieve];
      return statement<PageRow<Row>>(parts, () =>
        rowsOf(
          `select id, ${cursorValue} as cursor_value from ${walk(base, orderBy, isAfterCursor ? after : undefined)}
             where ${sieved(sieve)} order by ${orderBy} limit ? offset ?`,
        ),
      );
    },
    /** How many of a walk's rows the sieve lets through. Takes the values of sieve and base, and the walk's rows. */
    sample: ({ base, sieve }: Split, sort: string) =>
      statement<{ hits: number; walked: number }>(
        [sort, 'sample', ...base, ...sieve],
        () =>
          `select count(*) filter (where ${sieved(sieve)}) as hits, count(*) as walked
           from ${walk(base, sortOf(sort).orderBy)}`,
      ),
    /**
     * A page of few rows, found by whichever index has them and sorted then, beside how many there are in all; where the
     * page is empty, a row of nulls. Takes the values of the filters and the cursor, limit and offset.
     */
    gatheredPage(
      names: string[],
      sort: string,
      { isAfterCursor, isFromMany }: { isAfterCursor: boolean; isFromMany: boolean },
    ) {
      const { orderBy, cursorValue, after } = sortOf(sort);
      return statement<PageRow<Row> & { gathered: number }>(
        [sort, isFromMany ? 'glean' : 'gather', ...(isAfterCursor ? ['after'] : []), ...names],
        () =>
          `with found as materialized (select ${keys} from ${from} where ${isFromMany ? whereOfMany(names) : where(names)})
           select * from (select count(*) as gathered from found) counted left join lateral (${rowsOf(
             `select *, ${cursorValue} as cursor_value from found
              where ${isAfterCursor ? after : 'true'} order by ${orderBy} limit ? offset ?`,
           )}) page on true`,
      );
    },
    /** How many rows PostgreSQL expects. Takes the filters' values. */
    estimate: (names: string[]) =>
      statement<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
        ['estimate', ...names],
        () => `explain (format json) select 1 from ${from} where ${where(names)}`,
      ),
    /** Takes the filters' values. */
    count: (names: string[]) =>
      statement<{ total: number }>(
        ['count', ...names],
        () => `select count(*) as total from ${from} where ${where(names)}`,
      ),
  };
}
