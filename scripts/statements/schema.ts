import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { MigrationClass, QueryRunner } from '@frontdesk/database';
import { loadModule, type Node, parseSync } from 'libpg-query';
import type { Schema } from './sources.ts';

const ROOT = join(import.meta.dirname, '../..');
const MIGRATIONS_TABLE = 'migrations';

/** The tables of all services, by their names, as the texts of the migrations make them. */
export async function readSchema(): Promise<Schema> {
  await loadModule();
  const schema = new Map([[MIGRATIONS_TABLE, new Set(['id', 'timestamp', 'name'])]]);
  for (const file of globSync('services/*/src/migrations/index.ts', { cwd: ROOT }).sort()) {
    // Not sooner: what is loaded declares its statements, and `readDeclared` listens to that.
    const { migrations } = (await import(join(ROOT, file))) as { migrations: readonly MigrationClass[] };
    for (const Migration of migrations) await new Migration().up(reader(schema));
  }
  return schema;
}

/** Runs nothing: it reads what it is given. */
const reader = (schema: Map<string, Set<string>>) =>
  ({
    async query(text: string) {
      for (const { stmt } of parseSync(text).stmts as { stmt: Node }[]) note(schema, stmt);
      return [];
    },
  }) as unknown as QueryRunner;

function note(schema: Map<string, Set<string>>, statement: Node): void {
  if ('CreateStmt' in statement) {
    const { relation, tableElts = [] } = statement.CreateStmt;
    addColumns(schema, relation?.relname, tableElts);
  } else if ('CreateSeqStmt' in statement) {
    addColumns(schema, statement.CreateSeqStmt.sequence?.relname, []);
  } else if ('AlterTableStmt' in statement) {
    const { relation, cmds = [] } = statement.AlterTableStmt;
    const added = cmds.flatMap((each) => ('AlterTableCmd' in each ? (each.AlterTableCmd.def ?? []) : []));
    addColumns(schema, relation?.relname, added);
  }
}

function addColumns(schema: Map<string, Set<string>>, table = '', elements: readonly Node[]): void {
  const columns = schema.getOrInsertComputed(table, () => new Set());
  for (const element of elements) if ('ColumnDef' in element) columns.add(element.ColumnDef.colname ?? '');
}
