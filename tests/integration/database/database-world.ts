import { createDatabase, type Database, type MigrationClass, sharedMigrations } from '@frontdesk/database';
import { createLogger } from '@frontdesk/service';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTestDatabase } from '../../support/index.ts';

/** A table of the tests' own: one row per thing, unique by name. */
class CreateThings1790000001001 implements MigrationInterface {
  name = 'CreateThings1790000001001';

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

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table things');
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
  const database = createDatabase({ url, migrations: all, logger, ...settings });
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
