import type { Migration, MigrationClass, QueryRunner } from './migration.ts';

/**
 * A migration that builds an index on a table that running processes write to: they go on meanwhile. It waits for every transaction
 * that is under way, and nobody waits behind it. PostgreSQL has no such way for a partitioned table: see its documentation of CREATE INDEX.
 */
export function addIndex(
  name: string,
  index: {
    name: string;
    /** The table, the columns in brackets, and what follows them. */
    on: string;
    isUnique?: boolean;
  },
): MigrationClass {
  return class implements Migration {
    name = name;
    // PostgreSQL allows it in none.
    transaction = false as const;

    async up(runner: QueryRunner): Promise<void> {
      const [found] = (await runner.query(
        'select indisvalid as "isValid" from pg_index where indexrelid = to_regclass($1)',
        [index.name],
      )) as { isValid: boolean }[];
      if (found?.isValid) return;
      // The waits of this statement keep nobody waiting, so they need no bound as short as others'.
      await runner.query("set lock_timeout = '15min'");
      try {
        // Left by a build that was cut short.
        if (found) await runner.query(`drop index concurrently ${index.name}`);
        await runner.query(
          `create ${index.isUnique ? 'unique ' : ''}index concurrently ${index.name} on ${index.on}`,
        );
      } finally {
        await runner.query('reset lock_timeout');
      }
    }
  };
}
