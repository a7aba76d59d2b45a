import { addColumn, migrate } from '@frontdesk/database';
import { Client } from 'pg';
import { createTestDatabase, eventually, logger } from '../../support/index.ts';

it('a column is added to a table that a dump reads, and writers get through meanwhile', async () => {
  const testDatabase = await createTestDatabase([], 'add_column');
  const { url } = testDatabase;
  const [writer, dump] = [new Client({ connectionString: url }), new Client({ connectionString: url })];
  try {
    await Promise.all([writer.connect(), dump.connect()]);
    await writer.query('create table things (id bigint)');
    await dump.query('begin');
    await dump.query('select from things');
    let isDone = false;
    const column = addColumn('Add1790000000999', 'things', { name: 'note', type: 'text' });
    const migrating = migrate({ url, migrations: [column], logger }).then(() => {
      isDone = true;
    });
    await eventually(async () => {
      const { rows } = await writer.query(
        `select from pg_locks where relation = 'things'::regclass and not granted`,
      );
      expect(rows).toHaveLength(1);
    });
    // The migration waits for the dump. A writer waits for the migration, until it lets the writer by.
    await writer.query('insert into things (id) values (1)');
    expect(isDone).toBe(false);
    await dump.query('commit');
    await migrating;
    // As a process of the release before writes, and as this one does.
    await writer.query('insert into things (id) values (2)');
    await writer.query(`insert into things (id, note) values (3, 'new')`);
    const { rows } = await writer.query('select note from things order by id');
    expect(rows.map(({ note }) => note)).toEqual([null, null, 'new']);
  } finally {
    await Promise.all([writer.end(), dump.end()]);
    await testDatabase.drop();
  }
});
