import { createHash } from 'node:crypto';
import { type MigrationClass, migrate, type QueryRunner } from '@frontdesk/database';
import { Client } from 'pg';
import { DATABASE_OWNERS, type DatabaseOwner, migrationsOf } from '../../../scripts/migrate/databases.ts';
import { createTestDatabase, logger } from '../../support/index.ts';
import { schemaOf } from '../../support/schema.ts';

/** Hashes of what `schemaOf` said of databases that release 0.1.0 itself had made. */
const OF_RELEASE_0_1_0: Record<DatabaseOwner, string> = {
  gateway: '31be451b05d3c68139ed1f865851284feb79eee48bebff71885165c71186344b',
  scheduling: '2cfa54ad44ef823ad0646dc52c3830c21bb8259c619931ecf90f0851dfdd68e3',
  crm: 'f55db5f2eee97d3fd558e52e77f0d63709a1ca2cebed7d52a4c3f71cdcdcf1c0',
  calls: 'bbd4ee3ce4a800c7d29db791739fc8f8e09c2dc24b9f5da0e30df59eef8ef51d',
  webhooks: '9346de07fdbca3e8e964de2faacd1ac32843225bf51d927a3ac15cd0156c31e0',
  'settings-ui': '98ea33fd76da943fd6d4710a8287dac714a4792baefd558d5edf465cef24ba22',
};

const replacedBy = (migration: MigrationClass): readonly string[] => new migration().replaces ?? [];

async function withDatabase(
  migrations: readonly MigrationClass[],
  work: (url: string) => Promise<void>,
): Promise<void> {
  const { url, drop } = await createTestDatabase(migrations, 'baselines');
  try {
    await work(url);
  } finally {
    await drop();
  }
}

describe.each(DATABASE_OWNERS)('the baselines of %s', (owner) => {
  let migrations: readonly MigrationClass[];
  let baselines: readonly MigrationClass[];
  beforeAll(async () => {
    migrations = await migrationsOf(owner);
    baselines = migrations.filter((migration) => replacedBy(migration).length > 0);
  });

  // A change of the schema is a migration of its own: databases of 0.1.0 never see what changes in a baseline.
  it('make what release 0.1.0 made, and record its migrations', async () => {
    await withDatabase(baselines, async (url) => {
      const hash = createHash('sha256')
        .update((await schemaOf(url)).join('\n'))
        .digest('hex');
      expect(hash).toBe(OF_RELEASE_0_1_0[owner]);
    });
  });

  it('get later indexes beside writes: nobody waits while a table of a running system is read', async () => {
    const statements: string[] = [];
    const runner = {
      query: async (sql: string) => {
        statements.push(sql);
        return [];
      },
    } as unknown as QueryRunner;
    for (const Step of migrations) if (!baselines.includes(Step)) await new Step().up(runner);
    const text = statements.join(';\n');
    const tablesIn = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, table]) => table);
    const made = tablesIn(/create table (\w+)/g);
    expect(
      tablesIn(/create (?:unique )?index \w+ on (\w+)/g).filter((table) => !made.includes(table)),
    ).toEqual([]);
  });

  it('are skipped by a database of 0.1.0, which becomes as a new one is', async () => {
    const later = migrations.filter((migration) => !baselines.includes(migration));
    await withDatabase(baselines, async (url) => {
      const ran = await migrate({ url, migrations, logger });
      expect(new Set(ran)).toEqual(new Set(later.map((Step) => new Step().name ?? Step.name)));
      await withDatabase(migrations, async (fresh) =>
        expect(await schemaOf(url)).toEqual(await schemaOf(fresh)),
      );
    });
  });

  it('refuse a database that stopped half way to 0.1.0, and change nothing in it', async () => {
    await withDatabase([], async (url) => {
      for (const replaced of baselines.map(replacedBy).filter(({ length }) => length > 1))
        for (const applied of [replaced.slice(0, 1), replaced.slice(0, -1), replaced.slice(1)]) {
          await recordMigrations(url, applied);
          const before = await schemaOf(url);
          const missing = replaced.filter((name) => !applied.includes(name)).join(', ');
          await expect(migrate({ url, migrations, logger })).rejects.toThrow(
            new RegExp(
              `^The database baselines_\\w+ stopped half way to release 0\\.1\\.0: ${missing} did not run\\. Run the migrate job of release 0\\.1\\.0 first`,
            ),
          );
          expect(await schemaOf(url)).toEqual(before);
        }
    });
  });
});

/** As if these had run, and no others. */
async function recordMigrations(url: string, names: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('delete from migrations');
    await client.query(
      'insert into migrations (timestamp, name) select right(name, 13)::bigint, name from unnest($1::text[]) as name',
      [names],
    );
  } finally {
    await client.end();
  }
}
