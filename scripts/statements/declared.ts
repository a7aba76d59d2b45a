import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadModule, type Node, parseSync } from 'libpg-query';
import { BY_KEY_ALONE, type Exemption } from './by-key-alone.ts';
import { isolationFaults } from './isolation.ts';
import type { Schema } from './sources.ts';

/** A statement as libs/database publishes it. */
export interface Declared {
  kind: 'tenant' | 'system';
  name: string;
  text: string;
  names: readonly string[];
}

interface DeclaredList {
  statements: {
    page(filters: readonly string[], sort: string, isAfterCursor: boolean): unknown;
    count(filters: readonly string[]): unknown;
  };
  filters: readonly string[];
  sorts: readonly string[];
}

const ROOT = join(import.meta.dirname, '../..');
const DECLARES = /\b(tenantSql|systemSql|defineList|defineSystemList)\b/;

/** All that the libraries and services declare, with where, unless it is loaded before: each of a list's filters and sorts by itself, and all filters together. */
export async function readDeclared(): Promise<(Declared & { file: string })[]> {
  const files = globSync('{libs,services}/*/src/**/*.ts', { cwd: ROOT })
    .filter((file) => !file.endsWith('.test.ts') && DECLARES.test(readFileSync(join(ROOT, file), 'utf8')))
    .sort();
  const found: (Declared & { file: string })[] = [];
  let file = '';
  const note = (statement: unknown) => void found.push({ ...(statement as Declared), file });
  const noteList = (list: unknown) => readList(list as DeclaredList);
  subscribe('frontdesk:statement', note);
  subscribe('frontdesk:list', noteList);
  try {
    // One after the other: what a file declares is published while it is loaded.
    for (file of files) await import(join(ROOT, file));
  } finally {
    unsubscribe('frontdesk:statement', note);
    unsubscribe('frontdesk:list', noteList);
  }
  return found;
}

function readList({ statements, filters, sorts }: DeclaredList): void {
  for (const names of [[], ...filters.map((filter) => [filter]), filters]) {
    statements.count(names);
    for (const sort of sorts)
      for (const isAfterCursor of [false, true]) statements.page(names, sort, isAfterCursor);
  }
}

/**
 * Names that don't say which statement is meant, in words. A connection, pg_stat_statements and logs know a statement by its name alone, and
 * each service declares what the libraries do beside its own.
 */
export function ambiguousNames(
  declared: readonly (Pick<Declared, 'name' | 'text'> & { file: string })[],
): string[] {
  return [...Map.groupBy(declared, ({ name }) => name)].flatMap(([name, those]) => {
    const places = Map.groupBy(those, ({ file }) => placeOf(file));
    const isALibrarys = places.keys().some((place) => place.startsWith('libs/'));
    const isDeclaredTwice = (own: typeof those) => new Set(own.map(({ text }) => text)).size > 1;
    const isAmbiguous = (isALibrarys && places.size > 1) || places.values().some(isDeclaredTwice);
    return isAmbiguous
      ? [`${name}: several statements have this name in ${[...places.keys()].join(', ')}`]
      : [];
  });
}

/** Of which library or service a file is. */
export const placeOf = (file: string): string => file.split('/').slice(0, 2).join('/');

/** Ready to read statements. */
export async function openReader(
  schema: Schema,
  exemptions: Readonly<Record<string, Exemption>> = BY_KEY_ALONE,
) {
  await loadModule();
  const parsed = (text: string) => (parseSync(text).stmts as { stmt: Node }[]).map(({ stmt }) => stmt);
  return {
    /** What of it reaches other tenants' rows. @throws Error for what the check can't read */
    faultsOf({ kind, name, text, names }: Declared): string[] {
      const tenant = names.indexOf('tenantId') + 1;
      const options = {
        schema,
        isTenant: kind === 'tenant' ? (parameter: number) => parameter === tenant : null,
        lookups: Object.hasOwn(exemptions, name) ? (exemptions[name]?.lookups ?? []) : [],
      };
      return parsed(text)
        .filter((statement) => kind === 'tenant' || isOfRows(statement))
        .flatMap((statement) => isolationFaults(statement, options))
        .map((fault) => `${name}: ${fault}`);
    },
    /** Of a text that TypeORM made: each table has to be restricted to some value. */
    faultsOfEntities: (text: string): string[] =>
      parsed(text)
        .flatMap((statement) => isolationFaults(statement, { schema, isTenant: () => true }))
        .map((fault) => `${text}: ${fault}`),
    /** The tables that it names. */
    tablesOf: (text: string): string[] => [...new Set(parsed(text).flatMap(namedTables))].sort(),
  };
}

const isOfRows = (statement: Node): boolean =>
  ['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt'].some((kind) => kind in statement);

function namedTables(tree: unknown): string[] {
  if (!tree || typeof tree !== 'object') return [];
  const own = 'relname' in tree ? [String(tree.relname)] : [];
  return [...own, ...Object.values(tree).flatMap(namedTables)];
}
