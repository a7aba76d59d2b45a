import type { Migration, MigrationClass, QueryRunner } from './migration.ts';

/** A migration that adds a column that may be null or has a constant default: no row is written, so nobody waits for it. */
export function addColumn(
  name: string,
  table: string,
  column: { name: string; type: string },
): MigrationClass {
  return class implements Migration {
    name = name;

    async up(runner: QueryRunner): Promise<void> {
      await runner.query(`alter table ${table} add column ${column.name} ${column.type}`);
    }
  };
}
