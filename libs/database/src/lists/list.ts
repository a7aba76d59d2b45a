import { oldListCursor, type PageQuery, type Sort } from '@frontdesk/contracts';
import { invalidCursor } from '@frontdesk/service';
import type { Database } from '../database.ts';
import type { SystemScope, TenantScope } from '../scope/scopes.ts';
import { systemSql, tenantSql } from '../scope/statements.ts';
import type { CursorPlace, Cursors, TextPlace } from './cursors.ts';
import type { AfterValues } from './list-sql.ts';
import {
  type Filtering,
  type ListDefinition,
  type ListKind,
  type ListStatement,
  type ListStatements,
  listStatements,
  type PageRow,
} from './list-statements.ts';

/**
 * PostgreSQL sets a transaction's time stamp a moment before other sessions can see the transaction, and the server's
 * clock may be set back a little. Both are far below a second. A session that is delayed for longer at that point
 * would be missed.
 */
const MARGIN_SECONDS = 1;

const HORIZON = `
  select extract(epoch from least(now(), min(xact_start)) - interval '${MARGIN_SECONDS} s')::float8 as horizon
   from pg_stat_activity
   where datname = current_database() and usename = current_user and pid <> pg_backend_pid() and xact_start is not null`;

/**
 * The instant before which nothing changes any more, in seconds since the epoch. `updated_at` is never before its
 * transaction's start, so whatever is yet to be committed carries a later one: that of the oldest transaction that is
 * still open, or of one that is yet to begin. Run it on its own, before the statement that reads up to it: what ended in
 * between is then seen by that statement.
 *
 * Only this role's transactions are looked at: nobody else writes to a service's database, nor are others shown to it.
 * Any of them holds the horizon back while it is open, also one that only reads, a dump for example. Relies on
 * `track_activities`, which is on unless a superuser says otherwise.
 */
const settledHorizon = systemSql<{ horizon: number }>('settled_horizon', HORIZON);

/** The same for a tenant's request, which waits for its connection among that tenant's. */
const settledHorizonForTenant = tenantSql<{ horizon: number }>('settled_horizon', HORIZON);

interface Query<Field extends string> extends PageQuery {
  sort?: Sort<Field> | undefined;
  cursor?: string | undefined;
  /** In seconds since the epoch. */
  updated_since?: number | undefined;
}

interface Total {
  /** All that the filters let through, on whichever page. */
  total: number;
  /** Only where the total is not exact. */
  total_is_estimate?: true;
}

interface Page<Row> extends Total {
  rows: Row[];
  /** Only where the list goes on. */
  next_cursor?: string;
}

/** What is read of a list: one row more than the page has, to tell whether the list goes on. */
export interface ListWindow {
  given: readonly Filtering<string>[];
  sort: string;
  /** Null without a cursor. */
  after: AfterValues | null;
  limit: number;
  offset: number;
}

export interface ListReading<Row> extends Total {
  found: PageRow<Row>[];
}

/** Reads one page of a list. Filters with a value that is undefined are left out. @throws AppError `invalid_cursor` */
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
  many<Row>(statement: ListStatement<Kind, Row>, values: Record<string, unknown>): Promise<Row[]>;
  one<Row>(statement: ListStatement<Kind, Row>, values: Record<string, unknown>): Promise<Row>;
}

/** The filter behind `updated_since`. */
const SINCE = { since: 'updated_at >= to_timestamp($since) and updated_at < to_timestamp($horizon)' };

/**
 * A paginated list of one tenant's rows. With `updated_since` it is sorted by `updated_at`, unless the query says
 * otherwise, and holds only what is settled: see `settledHorizon`.
 *
 * @param read how rows and total are read, where that isn't by a page and a count
 */
export function defineList<Row extends { id: number }, Filter extends string, Field extends string>(
  definition: ListDefinition<Filter, Field>,
  read?: (
    scope: TenantScope,
    window: ListWindow,
    statements: ListStatements<Row, 'tenant'>,
  ) => Promise<ListReading<Row>>,
): ReadPage<Row, Filter, Field> {
  const { counter, totalOf, filters } = definition;
  const statements = listStatements<Row, 'tenant'>('tenant', {
    ...definition,
    filters: { ...filters, ...SINCE },
  });

  const knownTotal = (scope: TenantScope, given: readonly Filtering<string>[]) => {
    if (given.some(([name]) => name === 'since')) return null;
    const total = totalOf?.(scope, given as readonly Filtering<Filter>[]);
    return total ?? (counter !== undefined && given.length === 0 ? scope.total(counter) : null);
  };
  const readPage = pageReader<Row, TenantScope>(statements, definition, {
    readHorizon: (scope) => scope.one(settledHorizonForTenant),
    read: (scope, window) =>
      read
        ? read(scope, window, statements)
        : readWhole(statements, scope, window, knownTotal(scope, window.given)),
  });
  return (database, tenantId, query, given) =>
    readPage({ scope: database.forTenant(tenantId), tenantId, cursors: database.cursors() }, query, given);
}

/** A list of what is no single tenant's, for operators; otherwise as `defineList` makes them. */
export function defineSystemList<Row extends { id: number }, Filter extends string, Field extends string>(
  definition: Pick<
    ListDefinition<Filter, Field>,
    'name' | 'cursorsOf' | 'from' | 'columns' | 'filters' | 'sorts' | 'defaultSort'
  >,
): ReadSystemPage<Row, Filter, Field> {
  const { filters } = definition;
  const statements = listStatements<Row, 'system'>('system', {
    ...definition,
    filters: { ...filters, ...SINCE },
  });
  const readPage = pageReader<Row, SystemScope>(statements, definition, {
    readHorizon: (scope) => scope.one(settledHorizon),
    read: (scope, window) => readWhole(statements, scope, window, null),
  });
  return (database, query, given) =>
    readPage({ scope: database.system, tenantId: null, cursors: database.cursors() }, query, given);
}

async function readWhole<Row, Kind extends ListKind>(
  statements: ListStatements<Row, Kind>,
  scope: ListScope<Kind>,
  { given, sort, after, limit, offset }: ListWindow,
  knownTotal: Promise<number> | null,
): Promise<ListReading<Row>> {
  const names = given.map(([name]) => name);
  const values = valuesOfFilters(given);
  const [found, total] = await Promise.all([
    scope.many(statements.page(names, sort, after !== null), { ...values, ...after, limit, offset }),
    knownTotal ?? scope.one(statements.count(names), values).then((counted) => counted.total),
  ]);
  return { found, total };
}

/** All that these filters take. */
export const valuesOfFilters = (given: readonly Filtering<string>[]): Record<string, unknown> =>
  Object.assign({}, ...given.map(([, values]) => values));

const OTHER_CURSOR = 'The cursor field was made for another list, filter, sort or business, or is damaged.';

/** Where the cursor of a query goes on. @throws AppError `invalid_cursor` */
function placeAt(cursor: string, { cursors, context, sort, isText }: CursorUse): CursorPlace | TextPlace {
  const place = isText ? cursors.openText(context, cursor) : cursors.open(context, cursor);
  if (place) return place;
  // For one release: see `oldListCursor`.
  const old = oldListCursor(cursor);
  if (old?.[0] === sort && !isText) return [old[1], old[2]];
  throw invalidCursor('cursor', OTHER_CURSOR);
}

interface CursorUse {
  cursors: Cursors;
  /** Whose list this is, in which order, and what it lets through. */
  context: string;
  sort: string;
  /** Sorted by a text, for which no cursor of that form was ever made. */
  isText: boolean;
}

/** What a page is read from. */
interface ListSource<Scope> {
  scope: Scope;
  /** Null of all tenants' rows. */
  tenantId: number | null;
  cursors: Cursors;
}

/** Makes a window of a query, and a page of what is read in it. */
function pageReader<Row extends { id: number }, Scope>(
  { sortOf }: Pick<ListStatements<Row, ListKind>, 'sortOf'>,
  {
    name,
    cursorsOf = name,
    defaultSort,
  }: Pick<ListDefinition<string, string>, 'name' | 'cursorsOf' | 'defaultSort'>,
  {
    readHorizon,
    read,
  }: {
    readHorizon: (scope: Scope) => Promise<{ horizon: number }>;
    read: (scope: Scope, window: ListWindow) => Promise<ListReading<Row>>;
  },
) {
  return async (
    { scope, tenantId, cursors }: ListSource<Scope>,
    { page, per_page, sort: wanted, cursor, updated_since }: Query<string>,
    filters: readonly Filtering<string>[],
  ): Promise<Page<Row>> => {
    const sort = wanted ?? (updated_since === undefined ? defaultSort : 'updated_at');
    const given: Filtering<string>[] = filters.filter(
      ([, values]) => !Object.values(values).includes(undefined),
    );
    const filteredBy = given.map(([filter, values]) => [filter, ...Object.values(values)]);
    const context = JSON.stringify(['list', cursorsOf, tenantId, sort, updated_since ?? null, filteredBy]);
    const place =
      cursor === undefined ? null : placeAt(cursor, { cursors, context, sort, isText: sortOf(sort).isText });
    if (updated_since !== undefined) {
      const { horizon } = await readHorizon(scope);
      given.push(['since', { since: updated_since, horizon }]);
    }

    const offset = place ? 0 : (page - 1) * per_page;
    const after = place ? sortOf(sort).afterValues(place) : null;
    const { found, ...total } = await read(scope, { given, sort, after, limit: per_page + 1, offset });

    const rows = found.slice(0, per_page);
    const last = rows.at(-1);
    if (!last || found.length === rows.length) return { rows, ...total };
    return {
      rows,
      ...total,
      next_cursor: cursors.seal(context, [last.cursor_value, last.id] as CursorPlace | TextPlace),
    };
  };
}
