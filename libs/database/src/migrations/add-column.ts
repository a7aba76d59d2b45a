import type { Migration, MigrationClass, QueryRunner } from './migration.ts';

/**
 * A migration that adds a column that may be null or has a constant default, on running processes: it waits for the table behind nobody for longer than a second,
 * so that what it keeps waiting meanwhile goes on, and tries again until a dump or a long report has ended.
 */
export function addColumn(
  name: string,
  table: string,
  column: { name: string; type: string },
): MigrationClass {
  return class implements Migration {
    name = name;

    async up(runner: QueryRunner): Promise<void> {
      await runner.query(`
        do $$ begin
          set local lock_timeout = '1s';
          loop
            begin
              alter table ${table} add column ${column.name} ${column.type};
              exit;
            exception when lock_not_available then
              perform pg_sleep(1);
            end;
          end loop;
        end $$`);
    }
  };
}
