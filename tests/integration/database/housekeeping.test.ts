import { createHousekeeping } from '@frontdesk/database';
import { createMetrics } from '@frontdesk/service';
import { Client } from 'pg';
import { eventually } from '../../support/index.ts';
import { logger, openDatabase } from './database-world.ts';

const ROWS = 20_000;

it('counts a table that has grown much, long before PostgreSQL would', async () => {
  const world = await openDatabase();
  const housekeeping = createHousekeeping({ database: world.database, logger, metrics: createMetrics() });
  const client = new Client({ connectionString: world.url });
  await client.connect();
  try {
    const counted = async () =>
      (await client.query(`select reltuples::integer as rows from pg_class where relname = 'things'`)).rows;
    // So that only what is tested counts.
    await client.query('alter table things set (autovacuum_enabled = false)');
    await client.query('analyze things');
    await client.query(
      `insert into things (tenant_id, name) select 1, 'thing ' || n from generate_series(1, ${ROWS}) as n`,
    );
    expect(await counted()).toEqual([{ rows: 0 }]);

    await housekeeping.start?.();
    await eventually(async () => expect(await counted()).toEqual([{ rows: ROWS }]));
  } finally {
    await housekeeping.stop?.();
    await client.end();
    await world.close();
  }
});
