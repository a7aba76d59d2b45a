import { MIGRATIONS_TABLE, type Migration, type MigrationClass, type QueryRunner } from './migration.ts';

/**
 * A migration that makes in one go what release 0.1.0 made by these migrations. It bears the name of the last of them and records that the
 * others have run: a database of that release skips it, and that release's processes find every name that they ask for.
 * `schema` is what 0.1.0 left: a later change is a migration of its own.
 */
export function makeBaseline(replaces: readonly string[], schema: string): MigrationClass {
  const last = replaces.at(-1) ?? '';
  return class implements Migration {
    name = last;
    replaces = replaces;

    async up(runner: QueryRunner): Promise<void> {
      await runner.query(schema);
      await runner.query(
        `insert into ${MIGRATIONS_TABLE} (timestamp, name) select right(name, 13)::bigint, name from unnest($1::text[]) as name`,
        [replaces.slice(0, -1)],
      );
    }
  };
}
