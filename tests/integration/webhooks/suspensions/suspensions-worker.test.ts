import type { Loop } from '@frontdesk/service';
import { Client } from 'pg';
import { startReplay } from '../../../../services/webhooks/src/replays/start-replay.ts';
import { createWalkWorker } from '../../../../services/webhooks/src/replays/walk.worker.ts';
import { createSuspensionsWorker } from '../../../../services/webhooks/src/suspensions/suspensions.worker.ts';
import {
  engines,
  eventually,
  logger,
  type Receiver,
  startReceiver,
  uniqueTenantId,
} from '../../../support/index.ts';
import { insertBacklog } from '../backlog.ts';
import { BY_OPERATOR, type DeliveryWorld, startDeliveryWorld } from '../delivery-world.ts';
import { REPLAYED_WITHIN } from '../replay-world.ts';
import { appointmentEvents } from '../sample-events.ts';

/** As many as a replay leaves in the queue. */
const MAX_IN_QUEUE = 500;

describe('of a tenant that was suspended and is resumed', () => {
  let world: DeliveryWorld;
  let client: Client;
  let receiver: Receiver;
  let tenantId: number;
  let endpointId: number;
  let workers: Loop[];

  beforeEach(async () => {
    world = await startDeliveryWorld();
    client = new Client({ connectionString: world.url });
    await client.connect();
    receiver = await startReceiver();
    tenantId = uniqueTenantId();
    endpointId = (await world.subscribe(tenantId, receiver.url)).id;
    workers = [];
    await client.query(
      `insert into tenants (tenant_id, name, plan, status, timezone, country, currency, version)
       values ($1, 'Salon', 'pro', 'active', 'UTC', 'DE', 'EUR', 1)`,
      [tenantId],
    );
  });

  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    await client.end();
    await receiver.close();
    await world.stop();
  });

  const startWorker = async (perSecond: number) => {
    const { database } = world;
    const walking = { database, perSecond, onQueued: () => {}, logger };
    const [replays, releases] = [createWalkWorker('replays', walking), createWalkWorker('releases', walking)];
    const suspensions = createSuspensionsWorker({ database, onParked: releases.wake, logger });
    for (const worker of [replays, releases, suspensions]) {
      workers.push(worker);
      await worker.start();
    }
  };
  const become = async (status: 'active' | 'suspended') => {
    await client.query('update tenants set status = $2 where tenant_id = $1', [tenantId, status]);
    for (const worker of workers) worker.wake();
  };
  const shown = async () =>
    (await client.query('select * from endpoints where id = $1', [endpointId])).rows[0] as {
      is_suspended: boolean;
      release_at: Date | null;
      failing_since: Date | null;
      consecutive_failures: number;
    };
  const isHeld = () => eventually(async () => expect(await shown()).toMatchObject({ is_suspended: true }));
  const isThrough = () =>
    eventually(async () => expect(await shown()).toMatchObject({ is_suspended: false, release_at: null }));
  const counted = async () =>
    (
      await client.query<{ parked: number; due: number }>(
        `select count(*) filter (where due_at = 'infinity')::integer as parked,
           count(*) filter (where due_at < 'infinity')::integer as due
         from delivery_queue where tenant_id = $1`,
        [tenantId],
      )
    ).rows[0];

  it('a backlog goes out in steps, the oldest first, and never more than so many are due', async () => {
    await insertBacklog(client, { tenantId, endpointId, count: 2_300 });
    await startWorker(10_000);
    await become('suspended');
    await isHeld();
    await become('active');
    await eventually(async () => expect(await counted()).toEqual({ parked: 1_800, due: MAX_IN_QUEUE }));
    const { rows } = await client.query(
      `select max(delivery_id) filter (where due_at < 'infinity') < min(delivery_id) filter (where due_at = 'infinity') as ok
       from delivery_queue`,
    );
    expect(rows).toEqual([{ ok: true }]);

    const most: number[] = [];
    await world.startEngine({ perEndpoint: 50 });
    await eventually(async () => {
      most.push((await counted())?.due ?? 0);
      expect(receiver.requests).toHaveLength(2_300);
    });
    expect(Math.max(...most)).toBeLessThanOrEqual(MAX_IN_QUEUE);
    await isThrough();
  });

  it('deliveries go out once, though several processes see to it and all connections are cut again and again', async () => {
    await world.receive(...appointmentEvents(tenantId, 300));
    await startWorker(100);
    await become('suspended');
    await isHeld();
    const admin = new Client({ connectionString: engines().databaseUrl });
    await admin.connect();
    const cut = () =>
      admin.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> all($2::integer[])',
        [new URL(world.url).pathname.slice(1), [pid]],
      );
    const pid = (await client.query('select pg_backend_pid() as pid')).rows[0].pid;
    await startWorker(100);
    await become('active');
    await eventually(async () => expect(await shown()).toMatchObject({ is_suspended: false }));
    for (const most of [299, 150, 50]) {
      await eventually(async () => expect((await counted())?.parked).toBeLessThanOrEqual(most));
      await cut();
    }
    await admin.end();
    await isThrough();
    expect(await counted()).toEqual({ parked: 0, due: 300 });
    await world.startEngine();
    await eventually(() => expect(receiver.requests).toHaveLength(300));
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(300);
  });

  it('no more are made due a second than a replay may', async () => {
    await world.receive(...appointmentEvents(tenantId, 41));
    await startWorker(20);
    await become('suspended');
    await isHeld();
    await become('active');
    await isThrough();
    // Two full batches, each followed by a second, by the database's clock.
    const { rows } = await client.query<{ count: number; after_ms: number }>(
      `select count(*)::integer as count, 1000 * extract(epoch from due_at - min(due_at) over ())::float8 as after_ms
       from delivery_queue group by due_at order by due_at`,
    );
    expect(rows.map(({ count }) => count)).toEqual([20, 20, 1]);
    expect(rows[1]?.after_ms).toBeGreaterThanOrEqual(1_000);
    expect(rows[2]?.after_ms).toBeGreaterThanOrEqual(2_000);
  });

  it('an endpoint starts again: failures before the suspension do not disable it', async () => {
    await client.query(
      `update endpoints set failing_since = now() - interval '10 days', consecutive_failures = 30,
         retry_at = now() + interval '1 hour'`,
    );
    await world.receive(...appointmentEvents(tenantId, 1));
    await startWorker(100);
    await become('suspended');
    await isHeld();
    await become('active');
    await isThrough();
    expect(await shown()).toMatchObject({ failing_since: null, consecutive_failures: 0 });
    receiver.respondWith(() => ({ status: 500 }));
    await world.startEngine();
    await eventually(async () => expect((await world.latest(tenantId)).status).toBe('failed'));
    expect(await world.endpoints.list(tenantId)).toMatchObject([{ is_active: true, disabled_reason: null }]);
  });

  it('a paused endpoint gets nothing until it is resumed, too; a deleted one’s deliveries are cancelled', async () => {
    const other = await world.subscribe(tenantId, receiver.url);
    await world.receive(...appointmentEvents(tenantId, 20));
    await startWorker(100);
    await become('suspended');
    await isHeld();
    await client.query('update endpoints set is_active = false where id = $1', [endpointId]);
    await world.endpoints.delete(tenantId, other.id);
    await become('active');
    await eventually(async () => expect(await shown()).toMatchObject({ is_suspended: false }));
    expect(await counted()).toEqual({ parked: 20, due: 0 });
    await client.query('update endpoints set is_active = true where id = $1', [endpointId]);
    await isThrough();
    expect(await counted()).toEqual({ parked: 0, due: 20 });
  });

  it('a replay goes on once all that waited is out, so that both together keep the rate', async () => {
    await insertBacklog(client, { tenantId, endpointId, count: 10 });
    await client.query(`update deliveries set status = 'failed'`);
    await client.query('delete from delivery_queue');
    await world.receive(...appointmentEvents(tenantId, 41));
    const { id } = await world.apiDatabase
      .forTenant(tenantId)
      .transaction((tx) =>
        startReplay(
          tx,
          { endpointId, by: BY_OPERATOR, retentionDays: 30 },
          { kind: 'failed', from: null, to: null, include_delivered: false },
        ),
      );
    await client.query(`update replays set next_at = 'infinity'`);
    await startWorker(20);
    await become('suspended');
    await isHeld();
    await client.query('update replays set next_at = now()');
    await become('active');
    await isThrough();
    await eventually(async () => {
      const { rows } = await client.query('select status from replays where id = $1', [id]);
      expect(rows).toEqual([{ status: 'done' }]);
    }, REPLAYED_WITHIN);
    const { rows } = await client.query(
      `select max(due_at) filter (where delivery_id > last_id) <= min(due_at) filter (where delivery_id <= last_id) as in_order,
         count(*) filter (where delivery_id <= last_id)::integer as replayed
       from delivery_queue, (select max(id) as last_id from (select id from deliveries order by id limit 10) failed) failed`,
    );
    expect(rows).toEqual([{ in_order: true, replayed: 10 }]);
  });
});
