import { createDatabase, type Database, systemSql, tenantSql } from '@frontdesk/database';
import { eventually, PATIENT_BOUNDS, type Relay, startRelay } from '../../support/index.ts';
import { logger, migrations, openDatabase } from './database-world.ts';

const one = systemSql<{ one: number }>('test_one', 'select 1 as one');
const oneOfTenant = tenantSql<{ one: number }>(
  'test_one_of_tenant',
  'select count(*)::int as one from things where tenant_id = $tenantId',
);

let world: Awaited<ReturnType<typeof openDatabase>>;
let relay: Relay;
let database: Database;
beforeAll(async () => {
  world = await openDatabase();
  relay = await startRelay(world.url);
  // No other bound comes to its end.
  const bounds = { ...PATIENT_BOUNDS, requestMs: 300 };
  database = createDatabase({ url: relay.url, migrations, logger, bounds, poolMax: 2 });
  await database.start();
});
afterAll(async () => {
  await relay.restore();
  await database.stop();
  await relay.close();
  await world.close();
});

it('503 for a request while the database hangs, with a connection and in the line for one; it is served afterwards', async () => {
  const tenant = database.forTenant(7);
  await tenant.one(oneOfTenant);
  relay.hang();
  const requests = [
    ...Array.from({ length: 4 }, () => tenant.one(oneOfTenant)),
    tenant.transaction((tx) => tx.one(oneOfTenant)),
    database.systemForRequests.one(one),
  ];
  for (const { status, reason } of (await Promise.allSettled(requests)) as PromiseRejectedResult[])
    expect([status, reason?.code]).toEqual(['rejected', 'service_unavailable']);
  await relay.restore();
  await eventually(async () => expect(await tenant.one(oneOfTenant)).toEqual({ one: 0 }));
});
