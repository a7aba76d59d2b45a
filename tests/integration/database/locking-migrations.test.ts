import { addColumn, addIndex, type MigrationClass, migrate, type QueryRunner } from '@frontdesk/database';
import { Client } from 'pg';
import { createTestDatabase, eventually, logger } from '../../support/index.ts';

/** Longer than a migration may keep a writer waiting, and shorter than anybody's dump. */
const WRITER_WAITS = '5s';

interface World {
  writer: Client;
  dump: Client;
  told: string[];
  run: (migration: MigrationClass, options?: { patienceMs: number }) => Promise<string[]>;
  note: (id: number, note?: string) => Promise<unknown>;
}

/** A table of a running system that is written to, and read by a transaction that doesn't end. */
async function withReadTable(work: (world: World) => Promise<void>): Promise<void> {
  const { url, drop } = await createTestDatabase([], 'locks');
  const [writer, dump] = [
    new Client({ connectionString: url, options: `-c lock_timeout=${WRITER_WAITS}` }),
    new Client({ connectionString: url, application_name: 'nightly dump' }),
  ];
  const told: string[] = [];
  try {
    await Promise.all([writer.connect(), dump.connect()]);
    await writer.query('create table things (id bigint)');
    await dump.query('begin');
    await dump.query('select from things');
    await work({
      writer,
      dump,
      told,
      run: (migration, options) =>
        migrate({
          url,
          migrations: [migration],
          onBegin: (name) => told.push(`${name} begins`),
          onLock: (name, what) => told.push(`${name} ${what}`),
          logger,
          ...options,
        }),
      note: (id, note) =>
        note === undefined
          ? writer.query('insert into things (id) values ($1)', [id])
          : writer.query('insert into things (id, note) values ($1, $2)', [id, note]),
    });
  } finally {
    await Promise.all([writer.end(), dump.end()]);
    await drop();
  }
}

const isWaiting = async (writer: Client) => {
  const { rows } = await writer.query('select from pg_locks where not granted');
  expect(rows).not.toHaveLength(0);
};

class Widen1790000000999 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table things alter column id type numeric');
  }
}

describe('a migration of a table that others read and write', () => {
  it('lets writers by while it waits, and runs once a dump has ended', async () => {
    await withReadTable(async ({ writer, dump, told, run, note }) => {
      let isDone = false;
      const migrating = run(Widen1790000000999).finally(() => {
        isDone = true;
      });
      await eventually(() => isWaiting(writer));
      await note(1);
      await eventually(() => isWaiting(writer));
      await note(2);
      expect(isDone).toBe(false);
      await eventually(async () =>
        expect(told).toEqual([
          'Widen1790000000999 begins',
          'Widen1790000000999 waits for things, which nightly dump has locked',
        ]),
      );
      await dump.query('commit');
      expect(await migrating).toEqual(['Widen1790000000999']);
      const { rows } = await writer.query('select id from things order by id');
      expect(rows).toEqual([{ id: '1' }, { id: '2' }]);
    });
  });

  it('says what it keeps others from', async () => {
    await withReadTable(async ({ dump, told, run }) => {
      await dump.query('commit');
      const slowly: MigrationClass = class {
        name = 'Slowly1790000000999';
        async up(runner: QueryRunner) {
          await runner.query('alter table things add column note text');
          await runner.query('create table others (id bigint)');
          await eventually(async () => expect(told).toHaveLength(2));
        }
      };
      await run(slowly);
      expect(told).toEqual([
        'Slowly1790000000999 begins',
        'Slowly1790000000999 holds up reads and writes of things',
      ]);
    });
  });

  it('gives up in the end, names who stands in its way, and can be run again', async () => {
    await withReadTable(async ({ dump, run }) => {
      await expect(run(Widen1790000000999, { patienceMs: 1 })).rejects.toThrow(
        'Widen1790000000999 could not get its locks: waits for things, which nightly dump has locked.',
      );
      await dump.query('commit');
      expect(await run(Widen1790000000999)).toEqual(['Widen1790000000999']);
    });
  });

  it('adds a column beside processes of both releases', async () => {
    await withReadTable(async ({ writer, dump, run, note }) => {
      const column = addColumn('Add1790000000999', 'things', { name: 'note', type: 'text' });
      const migrating = run(column);
      await eventually(() => isWaiting(writer));
      await note(1);
      await dump.query('commit');
      await migrating;
      await note(2);
      await note(3, 'new');
      const { rows } = await writer.query('select note from things order by id');
      expect(rows.map(({ note: found }) => found)).toEqual([null, null, 'new']);
    });
  });

  it('builds an index while a writer’s transaction is open and others write', async () => {
    await withReadTable(async ({ writer, dump, run, note }) => {
      await dump.query('insert into things (id) values (0)');
      const index = addIndex('Index1790000000999', { name: 'things_id', on: 'things (id)', isUnique: true });
      const migrating = run(index);
      await eventually(() => isWaiting(writer));
      await note(1);
      await dump.query('commit');
      expect(await migrating).toEqual(['Index1790000000999']);
      const { rows } = await writer.query(
        `select indisvalid, indisunique from pg_index where indexrelid = 'things_id'::regclass`,
      );
      expect(rows).toEqual([{ indisvalid: true, indisunique: true }]);
      await expect(note(1)).rejects.toThrow('things_id');
    });
  });

  it('builds an index anew of which a build was cut short', async () => {
    await withReadTable(async ({ writer, dump, run, note }) => {
      await dump.query('commit');
      await note(1);
      await note(1);
      const index = addIndex('Index1790000000999', { name: 'things_id', on: 'things (id)', isUnique: true });
      await expect(run(index)).rejects.toThrow('could not create unique index');
      await writer.query('delete from things where ctid = (select min(ctid) from things)');
      expect(await run(index)).toEqual(['Index1790000000999']);
      await expect(note(1)).rejects.toThrow('things_id');
    });
  });

  it('builds an index once where two jobs start at the same moment, neither waiting for ever', async () => {
    await withReadTable(async ({ dump, run }) => {
      await dump.query('commit');
      const index = addIndex('Index1790000000999', { name: 'things_id', on: 'things (id)' });
      const ran = await Promise.all([run(index), run(index)]);
      expect(ran.flat()).toEqual(['Index1790000000999']);
    });
  });
});
