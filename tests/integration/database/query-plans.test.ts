import { createHousekeeping, createOutboxRelay } from '@frontdesk/database';
import { createApp, createMetrics } from '@frontdesk/service';
import { idempotent } from '@frontdesk/wiring';
import { Client } from 'pg';
import { expectIndexes } from '../../support/expect-indexes.ts';
import { eventually } from '../../support/index.ts';
import { logger, openDatabase } from './database-world.ts';

const ROWS = 50_000;
const TENANTS = 50;
const TABLES = ['outbox', 'idempotency_keys', 'counts'];

const FILL = [
  `insert into outbox (tenant_id, event_id, topic, aggregate_id, envelope, published_at)
   select n % ${TENANTS}, gen_random_uuid(), 'tenants', n, '{}', now() - n * interval '10 s' from generate_series(1, ${ROWS}) n`,
  `insert into outbox (tenant_id, event_id, topic, aggregate_id, envelope)
   select n, gen_random_uuid(), 'tenants', n, '{}' from generate_series(1, 20) n`,
  `insert into idempotency_keys (tenant_id, method, path, key, body_hash, status, headers, body, created_at)
   select n % ${TENANTS}, 'POST', '/things', 'key-' || n, sha256(n::text::bytea), 201, '{}', '{}', now() - n * interval '1 s'
   from generate_series(1, ${ROWS}) n`,
  `insert into counts select n % ${TENANTS}, 'counter ' || n % 64, 1 from generate_series(1, ${ROWS}) n`,
  'vacuum analyze',
];

let world: Awaited<ReturnType<typeof openDatabase>>;
let client: Client;
beforeAll(async () => {
  world = await openDatabase();
  client = new Client({ connectionString: world.url });
  await client.connect();
  for (const statement of FILL) await client.query(statement);
});
afterAll(async () => {
  await client.end();
  await world.close();
});

it('an index stands behind what every service asks of its outbox, stored answers and counts', async () => {
  const { database } = world;
  const metrics = createMetrics();
  let published = 0;
  const publish = async (records: readonly unknown[]) => {
    published += records.length;
  };
  const app = createApp({ logger, metrics });
  app.post('/things', (request, reply) =>
    idempotent({ request, reply, scope: database.forTenant(7) }, (transaction) =>
      transaction(async (tx) => {
        tx.emit('customer.created', { aggregateId: 1, version: 1, data: {} as never });
        tx.addToCount('counter 1', 1);
        return { status: 200, body: { total: await tx.total('counter 1') } };
      }),
    ),
  );

  const sent = ['outbox_batch', 'outbox_insert', 'idempotency_find', 'idempotency_store', 'counts_total'];
  await expectIndexes(client, { tables: TABLES, sent }, async () => {
    const headers = { 'idempotency-key': 'key-new' };
    expect((await app.inject({ method: 'POST', url: '/things', headers })).statusCode).toBe(200);
    const relay = createOutboxRelay({ database, publisher: { publish }, logger, metrics });
    await relay.start?.();
    await eventually(() => expect(published).toBe(21));
    await relay.stop?.();
    const housekeeping = createHousekeeping({ database, logger, metrics: createMetrics() });
    await housekeeping.start?.();
    await housekeeping.stop?.();
  });
});
