import {
  createDatabase,
  createHousekeeping,
  type Database,
  listStoredBytes,
  type MigrationClass,
} from '@frontdesk/database';
import { createMetrics } from '@frontdesk/service';
import { Client } from 'pg';
import { migrations as callsMigrations } from '../../../services/calls/src/migrations/index.ts';
import { migrations as crmMigrations } from '../../../services/crm/src/migrations/index.ts';
import { migrations as gatewayMigrations } from '../../../services/gateway/src/migrations/index.ts';
import { migrations as schedulingMigrations } from '../../../services/scheduling/src/migrations/index.ts';
import { migrations as webhooksMigrations } from '../../../services/webhooks/src/migrations/index.ts';
import { createTestDatabase, eventually, PATIENT_BOUNDS } from '../../support/index.ts';
import { logger, openDatabase } from './database-world.ts';

const TENANTS = 12;

type Check = (bytesBy: Map<string, number>) => void;

/** One replica, run until `check` holds; what its metric says then. */
async function measuredIn(database: Database, check: Check) {
  const metrics = createMetrics();
  const measureMs = PATIENT_BOUNDS.statement_timeout;
  const housekeeping = createHousekeeping({ database, logger, metrics, measureMs });
  await housekeeping.start?.();
  try {
    return await eventually(async () => {
      const bytesBy = new Map<string, number>();
      for (const { labels, value } of (await metrics.registry
        .getSingleMetric('stored_bytes')
        ?.get()
        .then(({ values }) => values)) ?? [])
        bytesBy.set(String(labels.tenant), value);
      check(bytesBy);
      return bytesBy;
    });
  } finally {
    await housekeeping.stop?.();
  }
}

describe('stored bytes', () => {
  let world: Awaited<ReturnType<typeof openDatabase>>;
  let client: Client;
  beforeEach(async () => {
    world = await openDatabase();
    client = new Client({ connectionString: world.url });
    await client.connect();
  });
  afterEach(async () => {
    await client.end();
    await world.close();
  });

  const replica = (check: Check) => measuredIn(world.database, check);
  /** Tenant n gets n things with names of 1,000 characters, which compress badly. */
  const fill = () =>
    client.query(
      `insert into things (tenant_id, name)
       select tenant, (select string_agg(md5(random()::text || tenant || thing || part), '') from generate_series(1, 32) part)
       from generate_series(1, ${TENANTS}) tenant, generate_series(1, tenant) thing`,
    );

  it('name the ten largest tenants, with the bytes of all their rows', async () => {
    await fill();
    const bytesBy = await replica(({ size }) => expect(size).toBe(10));
    expect([...bytesBy.keys()].map(Number).toSorted((a, b) => a - b)).toEqual([
      3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
    ]);
    for (const [tenant, bytes] of bytesBy) {
      expect(bytes).toBeGreaterThan(Number(tenant) * 1_000);
      expect(bytes).toBeLessThan(Number(tenant) * 1_200);
    }
  });

  it('are listed by tenant, once they are measured', async () => {
    await fill();
    expect(await listStoredBytes(world.database.system, 0)).toEqual({ is_measured: false, tenants: [] });
    // As a process of the release before leaves it, which kept ten.
    await client.query(`insert into stored_bytes_measurement (begun_at) values (now() - interval '2 h')`);
    expect(await listStoredBytes(world.database.system, 0)).toMatchObject({ is_measured: false });
    const bytesBy = await replica(({ size }) => expect(size).toBe(10));
    const { is_measured, tenants } = await listStoredBytes(world.database.system, 7);
    expect(is_measured).toBe(true);
    expect(tenants.map(({ tenant_id, bytes }) => [tenant_id, bytes])).toEqual(
      [8, 9, 10, 11, 12].map((id) => [id, bytesBy.get(String(id))]),
    );
  });

  it('are measured by one process a day, and reported by all', async () => {
    await fill();
    const first = await replica(({ size }) => expect(size).toBe(10));
    await client.query(
      'insert into things (tenant_id, name) select 1, repeat(md5(n::text), 100) from generate_series(1, 50) n',
    );
    expect(await replica(({ size }) => expect(size).toBe(10))).toEqual(first);
    expect(await replica(({ size }) => expect(size).toBe(10))).toEqual(first);

    await client.query(`update stored_bytes_measurement set begun_at = begun_at - interval '1 day'`);
    await replica((bytesBy) => expect(bytesBy.get('1')).toBeGreaterThan(5_000));
  });

  it('of a large database are scaled up from a sample', async () => {
    // A row a page: 312 MiB, of which 256 are read.
    await client.query(
      'create table heavy (tenant_id bigint not null, filler text not null) with (fillfactor = 10)',
    );
    await client.query('alter table heavy alter column filler set storage plain');
    await client.query(`insert into heavy select 7, repeat('x', 700) from generate_series(1, 40000)`);
    const bytesBy = await replica((seen) => expect(seen.has('7')).toBe(true));
    const exact = 40_000 * (8 + 704);
    expect(bytesBy.get('7')).toBeGreaterThan(exact * 0.95);
    expect(bytesBy.get('7')).toBeLessThan(exact * 1.05);
  });
});

it.each<[string, readonly MigrationClass[]]>([
  ['gateway', gatewayMigrations],
  ['scheduling', schedulingMigrations],
  ['crm', crmMigrations],
  ['calls', callsMigrations],
  ['webhooks', webhooksMigrations],
])('the tables of %s can be measured', async (name, migrations) => {
  const { url, drop } = await createTestDatabase(migrations, name);
  const database = createDatabase({ url, migrations, logger, bounds: PATIENT_BOUNDS });
  await database.start();
  try {
    await database.forTenant(77).transaction(async (tx) => tx.addToCount('things', 1));
    await measuredIn(database, (bytesBy) => expect(bytesBy.get('77')).toBeGreaterThan(0));
  } finally {
    await database.stop();
    await drop();
  }
});
