import { randomUUID } from 'node:crypto';
import type { ListDeliveriesQuery } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { Client } from 'pg';
import { waitingDeliveries } from '../../../../services/webhooks/src/deliveries/delivery-counts.repository.ts';
import {
  deleteEndpoint,
  findEndpointWithHealth,
  listEndpointsWithHealth,
} from '../../../../services/webhooks/src/endpoints/endpoint.repository.ts';
import {
  hastenDelivery,
  insertTestDelivery,
  requeueDeliveries,
} from '../../../../services/webhooks/src/queue/delivery-writes.repository.ts';
import { countMissedEvents } from '../../../../services/webhooks/src/replays/missed-events.repository.ts';
import { measureFailedWalk } from '../../../../services/webhooks/src/replays/replay.repository.ts';
import { type Reading, readingsOf } from '../../../support/plans.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../delivery-world.ts';

const DELIVERIES = 50_000;
/** Of so many tenants, each with as many. */
const TENANTS = 50;
const HOUR_MS = 3_600_000;

const fill = `
  with endpoint as materialized (
    insert into endpoints (tenant_id, url, events, secret)
    select n, 'http://127.0.0.1:9', '{appointment.created}', '' from generate_series(1, $2::integer) n
    returning tenant_id, id
  ), event as (
    insert into events (tenant_id, event_id, name, sequence, occurred_at, body)
    select 1 + n % $2::integer, gen_random_uuid(), 'appointment.created', 1, now(), '{"id":"' || repeat('x', 400) || '"}'
    from generate_series(1, $1::integer) n
    returning tenant_id, id
  ), logged as (
    insert into deliveries (tenant_id, endpoint_id, event_row, name, status)
    select tenant_id, endpoint.id, event.id, 'appointment.created', (array['delivered', 'pending', 'failed'])[1 + event.id % 3]
    from event join endpoint using (tenant_id)
    returning *
  )
  insert into delivery_queue (delivery_id, tenant_id, endpoint_id, event_row)
  select id, tenant_id, endpoint_id, event_row from logged where status = 'pending'`;

/** As requests ask, whose sessions have no settings of their own. */
describe.each(['never analysed', 'analysed'])('a day of 50,000 deliveries: %s', (state) => {
  const tenantId = 7;
  let world: DeliveryWorld;
  let client: Client;
  let day: string;
  let endpointId: number;

  beforeAll(async () => {
    world = await startDeliveryWorld();
    client = new Client({ connectionString: world.url });
    await client.connect();
    const { rows } = await client.query('select floor(extract(epoch from now()) / 86400)::text as day');
    day = rows[0].day;
    // Nobody looks at what comes in; and the queue was empty when somebody last did.
    for (const table of [`events_${day}`, `deliveries_${day}`, 'delivery_queue'])
      await client.query(`alter table ${table} set (autovacuum_enabled = off)`);
    await client.query('vacuum analyze delivery_queue');
    await client.query(fill, [DELIVERIES, TENANTS]);
    if (state === 'analysed') await client.query('analyze');
    endpointId = (await world.endpoints.list(tenantId))[0]?.id ?? 0;
  });

  afterAll(async () => {
    await client.end();
    await world.stop();
  });

  const scope = () => world.apiDatabase.forTenant(tenantId);
  /** Nothing of it stays. */
  const undone = async (work: (tx: TenantTransaction) => Promise<unknown>) => {
    const enough = new Error('undone');
    const run = scope().transaction(async (tx) => {
      await work(tx);
      throw enough;
    });
    await expect(run).rejects.toBe(enough);
  };
  const idOf = async (condition: string) => {
    const { rows } = await client.query(
      `select id::float8 from deliveries where endpoint_id = $1 and ${condition} limit 1`,
      [endpointId],
    );
    return rows[0].id as number;
  };
  const window = () => ({ from: new Date(Date.now() - HOUR_MS), to: new Date(Date.now() + HOUR_MS) });
  const missed = () => ({ ...window(), endpointId, names: ['appointment.created'] });
  const log = (query: Partial<ListDeliveriesQuery>) =>
    world.log.page(tenantId, { page: 1, per_page: 20, ...query });
  const oneEvent = async () => {
    const { rows } = await client.query(
      `select event_id from events where tenant_id = ${tenantId} order by id limit 1`,
    );
    return rows[0].event_id as string;
  };
  const readings = async (work: () => Promise<unknown>) => {
    const read: (Reading & { table: string })[] = [];
    for (const table of ['events', 'deliveries', 'delivery_queue']) {
      const partition = table === 'delivery_queue' ? table : `${table}_${day}`;
      for (const reading of await readingsOf(client, partition, work)) read.push({ table, ...reading });
    }
    return read;
  };
  const indexesOf = (read: readonly (Reading & { table: string })[], table: string, kind: string) =>
    new Set(
      read.filter((reading) => reading.table === table && reading.kind === kind).map(({ index }) => index),
    );

  it('no list, look-up or change reads a table whole', async () => {
    const waiting = await idOf(`status = 'pending'`);
    const settled = await idOf(`status = 'delivered'`);
    const event_id = await oneEvent();
    const { next_cursor: cursor } = await log({ page: 3 });
    const read = await readings(async () => {
      const lists: Partial<ListDeliveriesQuery>[] = [
        {},
        { per_page: 100 },
        { page: 5 },
        { endpoint_id: endpointId },
        { status: 'failed' },
        { status: 'delivered' },
        { event: 'appointment.created' },
        { event_id },
        { id: waiting },
        window(),
      ];
      for (const query of lists) {
        await log(query);
        await world.log.summaries(tenantId, { page: 1, per_page: 20, ...query });
      }
      await log({ cursor });
      await world.log.find(tenantId, waiting);
      await listEndpointsWithHealth(scope());
      await findEndpointWithHealth(scope(), endpointId);
      await waitingDeliveries(scope());
      await countMissedEvents(scope(), missed(), { isWhole: true });
      await undone((tx) => measureFailedWalk(tx, endpointId));
      await undone((tx) => hastenDelivery(tx, endpointId, waiting));
      await undone((tx) => requeueDeliveries(tx, endpointId, [settled]));
      await undone((tx) =>
        insertTestDelivery(tx, {
          endpointId,
          eventId: randomUUID(),
          name: 'endpoint.test',
          sequence: 1,
          at: new Date().toISOString(),
          body: '{}',
        }),
      );
      await undone((tx) => deleteEndpoint(tx, endpointId));
    });
    expect(read.length).toBeGreaterThan(50);
    expect(read.filter(({ index }) => index === null)).toEqual([]);
  });

  it.each(['custom', 'generic'])(
    'what an endpoint missed is looked up event by event: %s plan',
    async (kind) => {
      const read = await readings(() => countMissedEvents(scope(), missed(), { isWhole: true }));
      expect(indexesOf(read, 'events', kind)).toContain(`events_${day}_event_id_idx`);
      expect(indexesOf(read, 'deliveries', kind)).toEqual(new Set([`deliveries_${day}_once`]));
    },
  );

  it.each(['custom', 'generic'])('deliveries of one event are found by it: %s plan', async (kind) => {
    const event_id = await oneEvent();
    const read = await readings(() => log({ event_id }));
    expect(indexesOf(read, 'events', kind)).toContain(`events_${day}_event_id_idx`);
    expect(indexesOf(read, 'deliveries', kind)).toContain(`deliveries_${day}_once`);
  });

  it('plans for a queue that has become empty are ready for a full one', async () => {
    await client.query('delete from delivery_queue');
    await client.query('vacuum analyze delivery_queue');
    const read = await readings(() => waitingDeliveries(scope()));
    expect(read.length).toBeGreaterThan(0);
    expect(read.filter(({ index }) => index === null)).toEqual([]);
  });
});
