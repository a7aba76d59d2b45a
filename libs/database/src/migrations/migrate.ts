import { setTimeout } from 'node:timers/promises';
import type { Logger } from '@frontdesk/service';
import pg from 'pg';
import type { Logger as TypeOrmLogger } from 'typeorm';
import { sessionOptions, sqlState } from '../pool/connection.ts';
import type { SystemExecutor } from '../scope/executor.ts';
import { systemSql } from '../scope/statements.ts';
import { MIGRATIONS_TABLE, type Migration, type MigrationClass, type QueryRunner } from './migration.ts';
import { watchLocks } from './watch-locks.ts';

/** Held while a database is migrated, so that two migrate jobs run one after the other. */
const MIGRATION_LOCK = 7_203_301;
const LOCK_EVERY_MS = 200;

/** Later statements on a table queue behind one that waits for its lock. So it gives up soon and tries again. */
const LOCK_TIMEOUT_MS = 500;
const TRY_AGAIN_AFTER_MS = 1_000;
/** A dump or a long report may take so long; another migrate job too. */
const PATIENCE_MS = 15 * 60_000;

const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';

const ignore = () => {};
/** What fails is thrown. TypeORM would print each try of its own accord. */
const SILENT: TypeOrmLogger = {
  logQuery: ignore,
  logQueryError: ignore,
  logQuerySlow: ignore,
  logSchemaBuild: ignore,
  logMigration: ignore,
  log: ignore,
};

interface MigrateOptions {
  url: string;
  migrations: readonly MigrationClass[];
  /** Called as each migration begins: on a large table it takes long. */
  onBegin?: (name: string) => void;
  /** Called with what a migration holds up or waits for, in words. */
  onLock?: (name: string, what: string) => void;
  /** Longest that one migration tries to get its locks. */
  patienceMs?: number;
  logger: Logger;
}

/**
 * Brings one database to this release's schema, each migration in a transaction of its own. No statement that others
 * would wait behind waits for a lock for longer than half a second: its migration is undone then, and tried again.
 * @returns the names of those that ran now.
 * @throws Error where a lock could not be had for `patienceMs`, or where a part of what a baseline replaces has run
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const { onBegin = () => {}, onLock = () => {}, patienceMs = PATIENCE_MS, logger } = options;
  // Only here: services that migrate nothing don't need it.
  const { DataSource } = await import('typeorm');
  const current = { name: '', pid: 0 };
  const begin = (name: string, pid: number) => {
    if (name !== current.name) onBegin(name);
    Object.assign(current, { name, pid });
  };
  const dataSource = new DataSource({
    type: 'postgres',
    driver: pg,
    url: options.url,
    migrations: options.migrations.map((migration) => announced(migration, begin)),
    migrationsTableName: MIGRATIONS_TABLE,
    installExtensions: false,
    logger: SILENT,
    extra: {
      max: 2,
      connectionTimeoutMillis: 5_000,
      options: sessionOptions({ lock_timeout: String(LOCK_TIMEOUT_MS) }),
    },
  });
  await dataSource.initialize();
  const lock = dataSource.createQueryRunner();
  try {
    await takeLock(lock, patienceMs);
    const before = await appliedBy(lock);
    requireWholeBaselines(options, before);
    let reported = '';
    const reportNews = (what: string) => {
      const news = `${current.name} ${what}`;
      if (news !== reported) onLock(current.name, what);
      reported = news;
    };
    const watch = watchLocks(lock, () => current.pid, reportNews);
    try {
      await untilLocked(() => dataSource.runMigrations({ transaction: 'each' }), {
        current: () => current.name,
        lastSeen: watch.lastWait,
        patienceMs,
      });
    } finally {
      await watch.stop();
    }
    const ran = [...(await appliedBy(lock))].filter((name) => !before.has(name));
    for (const migration of ran) logger.info({ migration }, 'migrated');
    return ran;
  } finally {
    await lock.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => {});
    await lock.release();
    await dataSource.destroy();
  }
}

/** Tries in a loop: a session that waits inside a statement would block an index that is being built concurrently. */
async function takeLock(runner: QueryRunner, patienceMs: number): Promise<void> {
  const since = performance.now();
  for (;;) {
    const [{ taken }] = (await runner.query('select pg_try_advisory_lock($1) as taken', [
      MIGRATION_LOCK,
    ])) as [{ taken: boolean }];
    if (taken) return;
    if (performance.now() - since >= patienceMs) throw new Error('Another migrate job is at work.');
    await setTimeout(LOCK_EVERY_MS);
  }
}

/** A database that stopped on its way to 0.1.0 has neither that release's schema nor none. Nothing is changed in it. */
function requireWholeBaselines(
  { url, migrations }: Pick<MigrateOptions, 'url' | 'migrations'>,
  applied: ReadonlySet<string>,
): void {
  for (const Baseline of migrations) {
    const { replaces = [] } = new Baseline();
    const missing = replaces.filter((name) => !applied.has(name));
    if (missing.length > 0 && missing.length < replaces.length)
      throw new Error(
        `The database ${new URL(url).pathname.slice(1)} stopped half way to release 0.1.0: ${missing.join(', ')} did not run. ` +
          'Run the migrate job of release 0.1.0 first, then this one again.',
      );
  }
}

/** Migrations that have run are kept. The migration that could not get its locks is tried again. */
async function untilLocked(
  run: () => Promise<unknown>,
  { current, lastSeen, patienceMs }: { current: () => string; lastSeen: () => string; patienceMs: number },
): Promise<void> {
  let waiting = { name: '', since: 0 };
  for (;;) {
    try {
      await run();
      return;
    } catch (error) {
      if (![LOCK_NOT_AVAILABLE, DEADLOCK].includes(sqlState(error) ?? '')) throw error;
      const [name, now] = [current(), performance.now()];
      if (waiting.name !== name) waiting = { name, since: now };
      if (now - waiting.since >= patienceMs)
        throw new Error(`${name} could not get its locks: ${lastSeen() || 'others hold them'}.`, {
          cause: error,
        });
      await setTimeout(TRY_AGAIN_AFTER_MS);
    }
  }
}

/** The same migration, which says that it begins, and in which process of PostgreSQL. */
function announced(Announced: MigrationClass, begin: (name: string, pid: number) => void): MigrationClass {
  const original = new Announced();
  const name = nameOf(Announced);
  return class implements Migration {
    readonly name = name;
    readonly transaction = original.transaction;

    async up(runner: QueryRunner): Promise<void> {
      const [{ pid }] = (await runner.query('select pg_backend_pid() as pid')) as [{ pid: number }];
      begin(name, pid);
      await original.up(runner);
    }
  };
}

const nameOf = (migration: MigrationClass): string => new migration().name ?? migration.name;

const TABLE_NAME = `select to_regclass('${MIGRATIONS_TABLE}')::text as name`;
const APPLIED = `select name from ${MIGRATIONS_TABLE} order by id`;
const findTable = systemSql<{ name: string | null }>('migrations_table', TABLE_NAME);
const findApplied = systemSql<{ name: string }>('migrations_applied', APPLIED);

/** In the order in which they ran. */
async function appliedBy(runner: QueryRunner): Promise<Set<string>> {
  const [table] = (await runner.query(TABLE_NAME)) as [{ name: string | null }];
  const applied = table.name === null ? [] : ((await runner.query(APPLIED)) as { name: string }[]);
  return new Set(applied.map(({ name }) => name));
}

/** Names of the migrations that this release needs and the database has not seen. */
export async function pendingMigrations(
  system: SystemExecutor,
  migrations: readonly MigrationClass[],
): Promise<string[]> {
  const { name: table } = await system.one(findTable);
  const applied = new Set((table === null ? [] : await system.many(findApplied)).map(({ name }) => name));
  return migrations.map(nameOf).filter((name) => !applied.has(name));
}
