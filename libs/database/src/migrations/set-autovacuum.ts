import type { Migration, MigrationClass, QueryRunner } from './migration.ts';

const FIRST_LOOK_ROWS = 1_000;

/**
 * A migration that has autovacuum look at these tables once they have grown, and not while they are next to empty: a plan for a few
 * rows reads all of them, and prepared statements keep it, however fast the table fills then. See docs/decisions/fresh-tables.md.
 */
export function setAutovacuum(name: string, tables: readonly string[]): MigrationClass {
  return class implements Migration {
    name = name;

    async up(runner: QueryRunner): Promise<void> {
      const [analyze, vacuum] = ['autovacuum_analyze_threshold', 'autovacuum_vacuum_threshold'];
      for (const table of tables)
        await runner.query(
          `alter table ${table} set (${analyze} = ${FIRST_LOOK_ROWS}, ${vacuum} = ${FIRST_LOOK_ROWS})`,
        );
    }
  };
}
