import type { Node, RangeFunction } from 'libpg-query';
import type { Fact, Facts } from './facts.ts';
import { fail, memberOf, textOf } from './trees.ts';

/** Names of tables and their columns, of all services. */
export type Schema = ReadonlyMap<string, ReadonlySet<string>>;

export const TENANT_ID = 'tenant_id';

/** One appearance of a table in a statement. */
export interface Table {
  name: string;
  /** That its rows are of the tenant; null where it has no tenant. */
  fact: Fact | null;
}

/** A column of a table that a value comes from. */
export interface Origin {
  table: Table;
  column: string;
}

/** What an expression holds: a tenant's id, and where it comes from. */
export interface Value {
  fact: Fact | null;
  /** One for each query of a union; null where it is no column. */
  origins: readonly (Origin | null)[];
}

export interface Column extends Value {
  name: string;
}

/** What a FROM clause names. */
export interface Source {
  alias: string;
  column(name: string): Value | null;
  columns(): Column[];
  /** Which rows a condition takes away with this source's: those of its own query. */
  members: ReadonlySet<Fact>;
}

/** What names mean within one query. */
export interface Level {
  sources: Source[];
  ctes: Map<string, Column[]>;
  outer: Level | null;
}

export const NOTHING: Value = { fact: null, origins: [null] };

/** A table as it is named in a query. */
export function tableSource(schema: Schema, table: Table, alias: string): Source {
  const known = schema.get(table.name);
  const value = (name: string): Value => ({
    fact: name === TENANT_ID ? table.fact : null,
    origins: [{ table, column: name }],
  });
  return {
    alias,
    column: (name) => (!known || known.has(name) || name === 'ctid' ? value(name) : null),
    columns: () => [...(known ?? [TENANT_ID])].map((name) => ({ name, ...value(name) })),
    members: new Set(table.fact === null ? [] : [table.fact]),
  };
}

/** What a query that stands for itself gives: what is equal to its columns says nothing of the rows that it has read. */
export function derivedSource(facts: Facts, alias: string, columns: readonly Column[]): Source {
  const own = columns.map((column) => ({
    ...column,
    fact: column.fact === null ? null : facts.add([column.fact]),
  }));
  return {
    alias,
    column: (name) => own.find((column) => column.name === name) ?? null,
    columns: () => own,
    members: new Set(own.flatMap(({ fact }) => fact ?? [])),
  };
}

export const renamed = (columns: readonly Column[], names: readonly string[]): Column[] =>
  columns.map((column, index) => ({ ...column, name: names[index] ?? column.name }));

/** What a name means where it stands. */
export function lookUp(level: Level | null, fields: readonly Node[]): Value {
  const names = fields.map((field) => ('String' in field ? textOf(field) : fail('such a column')));
  const [name = '', alias] = names.toReversed();
  for (let at = level; at; at = at.outer) {
    for (const source of at.sources) {
      const found = alias === undefined || alias === source.alias ? source.column(name) : null;
      if (found) return found;
      if (alias !== undefined && alias === source.alias) return NOTHING;
    }
  }
  return NOTHING;
}

/** Whatever a function gives is nobody's before it is equal to something. */
export function functionSource(facts: Facts, { alias, coldeflist = [] }: RangeFunction): Source {
  const name = alias?.aliasname ?? '';
  const names = [
    ...(alias?.colnames ?? []).map(textOf),
    ...coldeflist.map((each) => memberOf(each, 'ColumnDef').colname ?? ''),
  ];
  const columns = (names.length > 0 ? names : [name]).map((each) => ({
    ...NOTHING,
    name: each,
    fact: each === TENANT_ID ? facts.add() : null,
  }));
  return {
    alias: name,
    column: (wanted) => columns.find((each) => each.name === wanted) ?? null,
    columns: () => columns,
    members: new Set(columns.flatMap(({ fact }) => fact ?? [])),
  };
}
