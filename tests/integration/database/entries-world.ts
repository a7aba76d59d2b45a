import { listQuery } from '@frontdesk/contracts';
import type { Migration, QueryRunner } from '@frontdesk/database';
import { createDatabase, defineList, sharedMigrations, systemSql, tenantSql } from '@frontdesk/database';
import { createTestDatabase, PATIENT_BOUNDS, uniqueTenantId } from '../../support/index.ts';
import { logger } from './database-world.ts';

/** A table of the tests' own, to be listed. */
class CreateEntries1790000001002 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table entries (
        tenant_id bigint not null,
        id bigint generated always as identity,
        kind text not null default 'plain',
        starts_at timestamptz not null default now(),
        version integer not null default 1,
        updated_at timestamptz not null default now(),
        primary key (tenant_id, id)
      )`);
    await runner.query('create index entries_by_update on entries (tenant_id, updated_at, id)');
  }
}

const migrations = [...sharedMigrations, CreateEntries1790000001002];

export interface Entry {
  id: number;
  kind: string;
  version: number;
  updated_at: Date;
}

const querySchema = listQuery('starts_at', 'updated_at', 'id');

const readPage = defineList<Entry, 'kind', 'starts_at' | 'updated_at' | 'id'>({
  name: 'entries',
  from: 'entries',
  columns: 'id, kind, version, updated_at',
  filters: { kind: 'kind = $kind' },
  sorts: {
    starts_at: { column: 'starts_at', hasIdsReversed: true },
    updated_at: { column: 'updated_at' },
    id: { column: 'id' },
  },
  defaultSort: '-starts_at',
});

export const insertEntry = tenantSql<{ id: number }, { startsAt: string | null }>(
  'insert_entry',
  'insert into entries (tenant_id, starts_at) values ($tenantId, coalesce($startsAt, now())) returning id',
);
export const touchEntry = tenantSql<never, { id: number }>(
  'touch_entry',
  'update entries set version = version + 1, updated_at = now() where tenant_id = $tenantId and id = $id',
);
export const deleteEntry = tenantSql<never, { id: number }>(
  'delete_entry',
  'delete from entries where tenant_id = $tenantId and id = $id',
);
export const allEntries = tenantSql<Entry>(
  'all_entries',
  'select id, kind, version, updated_at from entries where tenant_id = $tenantId',
);

const forgetCursorKey = systemSql<never>('test_forget_cursor_key', 'delete from cursor_keys');

/** A database of the test's own with one tenant's entries. Queries are as in a URL. */
export async function openEntries() {
  const { url, drop } = await createTestDatabase(migrations, 'entries');
  const database = createDatabase({ url, migrations, logger, bounds: PATIENT_BOUNDS, poolMax: 12 });
  await database.start();
  const tenantId = uniqueTenantId();
  const pageOf = (of: typeof database) => (query: Record<string, string>) =>
    readPage(of, tenantId, querySchema.parse(query), [['kind', { kind: undefined }]]);
  const page = pageOf(database);
  const others: (typeof database)[] = [];
  return {
    /** Pages as another process of the service reads them. */
    async otherProcess() {
      const other = createDatabase({ url, migrations, logger, bounds: PATIENT_BOUNDS });
      others.push(other);
      await other.start();
      return pageOf(other);
    },
    /** As before any process has started. */
    forgetCursorKey: () => database.system.run(forgetCursorKey),
    stopOthers: () => Promise.all(others.map((other) => other.stop())),
    scope: database.forTenant(tenantId),
    page,
    /** Walks by cursor, calling `between` after each page, and answers all rows. */
    async walk(query: Record<string, string>, between: () => Promise<unknown> = async () => {}) {
      const rows: Entry[] = [];
      for (let cursor = ''; ; ) {
        const found = await page({ ...query, ...(cursor && { cursor }) });
        rows.push(...found.rows);
        if (!found.next_cursor) return rows;
        cursor = found.next_cursor;
        await between();
      }
    },
    async close() {
      await database.stop();
      await drop();
    },
  };
}
