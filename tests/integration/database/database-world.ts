import type { Migration, QueryRunner } from '@frontdesk/database';
import {
  createDatabase,
  type Database,
  type MigrationClass,
  sharedMigrations,
  type TenantScope,
  type TenantTransaction,
} from '@frontdesk/database';
import { createLogger } from '@frontdesk/service';
import { createTestDatabase, PATIENT_BOUNDS } from '../../support/index.ts';

/** A table of the tests' own: one row per thing, unique by name. */
class CreateThings1790000001001 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table things (
        tenant_id bigint not null,
        id bigint generated always as identity,
        name text not null,
        primary key (tenant_id, id),
        constraint things_name_unique unique (tenant_id, name)
      )`);
  }
}

export const migrations: readonly MigrationClass[] = [...sharedMigrations, CreateThings1790000001001];
export const logger = createLogger({ name: 'test', level: 'silent' });

/** A fresh database of the tests' own, connected. */
export async function openDatabase(
  options: { poolMax?: number; more?: readonly MigrationClass[] } = {},
): Promise<{
  database: Database;
  url: string;
  close(): Promise<void>;
}> {
  const { more = [], ...settings } = options;
  const all = [...migrations, ...more];
  const { url, drop } = await createTestDatabase(all, 'things');
  const database = createDatabase({ url, migrations: all, logger, bounds: PATIENT_BOUNDS, ...settings });
  await database.start();
  return {
    database,
    url,
    async close() {
      await database.stop();
      await drop();
    },
  };
}

/**
 * Runs two transactions that lock 'a' and 'b' crosswise, until both have committed. A victim of the deadlock starts again only after
 * the other one has ended: an earlier start could deadlock once more.
 * @returns how many runs there were
 */
export async function lockCrosswise(
  scope: TenantScope,
  lock: Record<'first' | 'second', (tx: TenantTransaction, name: string) => Promise<unknown>>,
): Promise<number> {
  const holdsOne = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ended = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let runs = 0;
  const lockBoth = async (names: [first: string, second: string], own: 0 | 1) => {
    let isRerun = false;
    await scope.transaction(async (tx) => {
      runs += 1;
      if (isRerun) await ended[1 - own]?.promise;
      isRerun = true;
      await lock.first(tx, names[0]);
      holdsOne[own]?.resolve();
      await holdsOne[1 - own]?.promise;
      await lock.second(tx, names[1]);
    });
    ended[own]?.resolve();
  };
  await Promise.all([lockBoth(['a', 'b'], 0), lockBoth(['b', 'a'], 1)]);
  return runs;
}
