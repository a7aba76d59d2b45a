import { createDatabase, type Database, systemSql } from '@frontdesk/database';
import { createMetrics, type Logger } from '@frontdesk/service';
import { Client } from 'pg';
import { migrations } from '../../../../services/webhooks/src/migrations/index.ts';
import {
  ensurePartitions,
  purgeDays,
} from '../../../../services/webhooks/src/retention/partition.repository.ts';
import { createRetentionWorker } from '../../../../services/webhooks/src/retention/retention.worker.ts';
import {
  eventually,
  logger,
  PATIENT_BOUNDS,
  type Receiver,
  startReceiver,
  uniqueTenantId,
} from '../../../support/index.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../delivery-world.ts';
import { appointmentEvent, appointmentEvents } from '../sample-events.ts';

const KEPT_DAYS = 30;

const dayOfNow = systemSql<{ day: number }>(
  'test_day_of_now',
  'select floor(extract(epoch from now()) / 86400)::integer as day',
);

describe('daily partitions', () => {
  let world: DeliveryWorld;
  let database: Database;
  let client: Client;
  let receiver: Receiver;
  let tenantId: number;
  let endpointId: number;
  /** It may be yesterday before a test has ended. */
  let today: number;

  beforeEach(async () => {
    world = await startDeliveryWorld();
    database = createDatabase({ url: world.url, migrations, logger, bounds: PATIENT_BOUNDS });
    await database.start();
    client = new Client({ connectionString: world.url });
    await client.connect();
    receiver = await startReceiver();
    tenantId = uniqueTenantId();
    endpointId = (await world.subscribe(tenantId, receiver.url)).id;
    today = (await database.system.one(dayOfNow)).day;
    await ensure();
  });

  afterEach(async () => {
    await receiver.close();
    await client.end();
    await database.stop();
    await world.stop();
  });

  /** The days, counted from today, that a table has a partition for. */
  const daysOf = async (table: 'events' | 'deliveries') => {
    const { rows } = await client.query<{ day: number }>(
      `select substring(inhrelid::regclass::text from '_([0-9]+)$')::integer - $2::integer as day
       from pg_inherits where inhparent = $1::regclass order by day`,
      [table, today],
    );
    return rows.map(({ day }) => day);
  };
  /** A delivery that waits since so many days ago, its partition made for it. Answers its id. */
  const insertAged = async (daysAgo: number): Promise<number> => {
    await client.query('select ensure_partitions($1::bigint, $1::bigint)', [today - daysAgo]);
    const { rows } = await client.query(
      `with event as (
         insert into events (tenant_id, id, event_id, name, sequence, occurred_at, received_at, body)
         values ($1, day_id(nextval('event_ids'), $3), gen_random_uuid(), 'appointment.created', 1, $3, $3, '{}')
         returning id
       ), logged as (
         insert into deliveries (tenant_id, id, endpoint_id, event_row, name, created_at)
         select $1, day_id(nextval('delivery_ids'), $3), $2, id, 'appointment.created', $3 from event returning id, event_row
       )
       insert into delivery_queue (delivery_id, tenant_id, endpoint_id, event_row, due_at)
       select id, $1, $2, event_row, $3 from logged returning delivery_id as id`,
      [tenantId, endpointId, new Date((today - daysAgo) * 86_400_000)],
    );
    return Number(rows[0].id);
  };
  const dropLastDay = () => client.query(`drop table events_${today + 7}, deliveries_${today + 7}`);
  const ensure = () => ensurePartitions(database.system);
  const forget = () => purgeDays(database.system, KEPT_DAYS);
  const queued = async () =>
    (await client.query('select delivery_id from delivery_queue order by 1')).rows.map(({ delivery_id }) =>
      Number(delivery_id),
    );

  it('are there for a week ahead, and each of them once however often they are asked for', async () => {
    await dropLastDay();
    await Promise.all([ensure(), ensure()]);
    const tomorrow = (await database.system.one(dayOfNow)).day - today;
    for (const days of [await daysOf('events'), await daysOf('deliveries')]) {
      expect(days).toEqual(expect.arrayContaining([0, 1, 2, 3, 4, 5, 6, 7]));
      expect(new Set(days).size).toBe(days.length);
      expect(Math.max(...days)).toBeLessThanOrEqual(tomorrow + 7);
    }
  });

  it('are made while someone reads all of the log, and nobody queues behind that', async () => {
    await dropLastDay();
    const dump = new Client({ connectionString: world.url });
    await dump.connect();
    try {
      await dump.query('begin');
      await dump.query('lock table events, deliveries in access share mode');
      await ensure();
      expect(await daysOf('events')).toContain(7);
      expect(await daysOf('deliveries')).toContain(7);
      await Promise.all([world.receive(appointmentEvent(tenantId)), world.startEngine()]);
      await eventually(async () => expect((await world.latest(tenantId)).status).toBe('delivered'));
    } finally {
      await dump.end();
    }
  });

  it('have every index of their table as a part of it, and each delivery once', async () => {
    await dropLastDay();
    await ensure();
    const { rows } = await client.query(
      `select part.inhrelid::regclass::text as partition, (
         select count(*)::integer from pg_index own join pg_inherits link on link.inhrelid = own.indexrelid
         where own.indrelid = part.inhrelid and own.indisvalid
       ) - (select count(*)::integer from pg_index whole where whole.indrelid = part.inhparent) as missing, (
         select array_to_string(c.reloptions, ',') from pg_class c where c.oid = part.inhrelid
       ) as options
       from pg_inherits part where part.inhparent in ('events'::regclass, 'deliveries'::regclass)`,
    );
    expect(rows.length).toBeGreaterThanOrEqual(16);
    for (const { partition, missing, options } of rows) {
      const fill = partition.startsWith('events') ? 100 : 10;
      const firstLook = 'autovacuum_analyze_threshold=1000,autovacuum_vacuum_threshold=1000';
      expect([partition, missing, options]).toEqual([partition, 0, `fillfactor=${fill},${firstLook}`]);
    }
    const insert = `insert into deliveries (tenant_id, id, endpoint_id, event_row, name)
      values ($1, day_id(nextval('delivery_ids'), $3), $2, 1, 'appointment.created')`;
    const values = [tenantId, endpointId, new Date((today + 7) * 86_400_000)];
    await client.query(insert, values);
    await expect(client.query(insert, values)).rejects.toThrow(`deliveries_${today + 7}_once`);
  });

  it('take the last id of a day and the first of the next into different ones', async () => {
    const { rows } = await client.query(
      `insert into deliveries (tenant_id, id, endpoint_id, event_row, name)
       select $1, day_id(9999999999, at), $2, 1, 'appointment.created'
       from unnest(array[to_timestamp($3::bigint * 86400) - interval '1 microsecond', to_timestamp($3::bigint * 86400)]) at
       returning tableoid::regclass::text as partition`,
      [tenantId, endpointId, today + 1],
    );
    expect(rows).toEqual([{ partition: `deliveries_${today}` }, { partition: `deliveries_${today + 1}` }]);
  });

  it('let what began before midnight be delivered after it, beside what is younger', async () => {
    const before = await insertAged(1);
    await world.receive(...appointmentEvents(tenantId, 3));
    await world.startEngine();
    await eventually(async () => {
      const { rows } = await world.log.page(tenantId, { page: 1, per_page: 10 });
      expect(rows.map(({ status }) => status)).toEqual(Array(4).fill('delivered'));
      expect(rows.at(-1)?.id).toBe(before);
    });
    expect(await queued()).toEqual([]);
  });

  it('past their time are dropped with their pending deliveries; those of the kept days stay', async () => {
    // In one transaction, which has one day.
    const [ancient, old, kept] = await database.system.transaction(async (system) => {
      today = (await system.one(dayOfNow)).day;
      const inserted = [await insertAged(45), await insertAged(31), await insertAged(30)];
      await purgeDays({ ...database.system, ...system }, KEPT_DAYS);
      return inserted as [number, number, number];
    });
    for (const days of [await daysOf('events'), await daysOf('deliveries')])
      expect(days.filter((day) => day < -1)).toEqual([-30]);
    expect(await queued()).toEqual([kept]);
    expect(await Promise.all([ancient, old].map((id) => world.log.find(tenantId, id)))).toEqual([null, null]);

    await world.startEngine();
    await eventually(async () =>
      expect(await world.log.find(tenantId, kept)).toMatchObject({ status: 'delivered' }),
    );
    expect(receiver.requests).toHaveLength(1);
  });

  it('past their time say what was dropped unsent: in the log, the metrics, and of the endpoint', async () => {
    await client.query('update endpoints set is_suspended = true where id = $1', [endpointId]);
    for (const daysAgo of [45, 45, 40, 1]) await insertAged(daysAgo);
    const lines: unknown[] = [];
    const metrics = createMetrics();
    const worker = createRetentionWorker({
      system: database.system,
      retentionDays: KEPT_DAYS,
      logger: { info: (fields: object) => lines.push(fields) } as unknown as Logger,
      metrics,
    });
    await worker.start?.();
    await eventually(() => expect(lines).toEqual([{ tenant_id: tenantId, deliveries: 3 }]));
    await worker.stop?.();
    expect(await metrics.registry.metrics()).toMatch(/^webhook_dropped_deliveries_total 3$/m);
    expect(await world.endpoints.list(tenantId)).toMatchObject([{ dropped_deliveries: 3 }]);
    expect(await queued()).toHaveLength(1);
  });

  it('may go while their deliveries are in flight: the results are void, and the leases are free again', async () => {
    await insertAged(45);
    const answer = Promise.withResolvers<{ status: number }>();
    receiver.respondWith(() => answer.promise);
    await world.startEngine({ total: 1 });
    await eventually(() => expect(receiver.requests).toHaveLength(1));
    await eventually(() => forget());
    answer.resolve({ status: 200 });

    await world.receive(appointmentEvent(tenantId));
    await eventually(async () => expect((await world.latest(tenantId)).status).toBe('delivered'));
    expect(await queued()).toEqual([]);
  });

  it('that someone reads wait for another time, and nobody queues behind that', async () => {
    await insertAged(45);
    const reader = new Client({ connectionString: world.url });
    await reader.connect();
    try {
      await reader.query('begin');
      await reader.query('select count(*) from deliveries');
      const dropping = forget();
      await Promise.all([
        expect(dropping).rejects.toThrow(),
        world.receive(appointmentEvent(tenantId)),
        world.startEngine(),
      ]);
      await eventually(async () => expect((await world.latest(tenantId)).status).toBe('delivered'));
      expect(await daysOf('deliveries')).toContain(-45);
      await reader.query('rollback');
      await eventually(() => forget());
      expect(await daysOf('deliveries')).not.toContain(-45);
    } finally {
      await reader.end();
    }
  });
});
