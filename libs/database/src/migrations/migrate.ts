import type { Logger } from '@frontdesk/service';
import pg from 'pg';
import type { SystemExecutor } from '../scope/executor.ts';
import { systemSql } from '../scope/statements.ts';
import type { Migration, MigrationClass, QueryRunner } from './migration.ts';

/** Held while a database is migrated, so that two migrate jobs run one after the other. */
const MIGRATION_LOCK = 7_203_301;
const MIGRATIONS_TABLE = 'migrations';

/**
 * Brings one database to this release's schema, each migration in a transaction of its own.
 * @returns the names of those that ran now.
 */
export async function migrate(options: {
  url: string;
  migrations: readonly MigrationClass[];
  /** Told of each migration as it begins: on a large table it takes long. */
  onBegin?: (name: string) => void;
  logger: Logger;
}): Promise<string[]> {
  const { onBegin = () => {} } = options;
  // Only here: services that migrate nothing don't need it.
  const { DataSource } = await import('typeorm');
  const dataSource = new DataSource({
    type: 'postgres',
    driver: pg,
    url: options.url,
    migrations: options.migrations.map((migration) => announced(migration, onBegin)),
    migrationsTableName: MIGRATIONS_TABLE,
    installExtensions: false,
    extra: { max: 2, connectionTimeoutMillis: 5_000 },
  });
  await dataSource.initialize();
  const lock = dataSource.createQueryRunner();
  try {
    await lock.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const ran = await dataSource.runMigrations({ transaction: 'each' });
    for (const { name } of ran) options.logger.info({ migration: name }, 'migrated');
    return ran.map(({ name }) => name);
  } finally {
    await lock.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => {});
    await lock.release();
    await dataSource.destroy();
  }
}

/** The same migration, which says that it begins. */
function announced(Announced: MigrationClass, onBegin: (name: string) => void): MigrationClass {
  const name = nameOf(Announced);
  return class implements Migration {
    readonly name = name;

    up(runner: QueryRunner): Promise<void> {
      onBegin(name);
      return new Announced().up(runner);
    }
  };
}

const nameOf = (migration: MigrationClass): string => new migration().name ?? migration.name;

const findTable = systemSql<{ name: string | null }>(
  'migrations_table',
  `select to_regclass('${MIGRATIONS_TABLE}')::text as name`,
);
const findApplied = systemSql<{ name: string }>('migrations_applied', `select name from ${MIGRATIONS_TABLE}`);

/** Names of the migrations that this release needs and the database has not seen. */
export async function pendingMigrations(
  system: SystemExecutor,
  migrations: readonly MigrationClass[],
): Promise<string[]> {
  const { name: table } = await system.one(findTable);
  const applied = new Set((table === null ? [] : await system.many(findApplied)).map(({ name }) => name));
  return migrations.map(nameOf).filter((name) => !applied.has(name));
}
