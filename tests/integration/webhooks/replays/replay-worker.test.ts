import type { CreateReplay } from '@frontdesk/contracts';
import { systemSql } from '@frontdesk/database';
import type { Loop } from '@frontdesk/service';
import { Client } from 'pg';
import { disableEndpoint } from '../../../../services/webhooks/src/endpoints/endpoint.repository.ts';
import { cancelReplay, findReplay } from '../../../../services/webhooks/src/replays/replay.repository.ts';
import { startReplay } from '../../../../services/webhooks/src/replays/start-replay.ts';
import { createWalkWorker } from '../../../../services/webhooks/src/replays/walk.worker.ts';
import {
  engines,
  eventually,
  logger,
  type Receiver,
  startReceiver,
  uniqueTenantId,
} from '../../../support/index.ts';
import { BY_OPERATOR, type DeliveryWorld, startDeliveryWorld } from '../delivery-world.ts';
import { REPLAYED_WITHIN } from '../replay-world.ts';
import { appointmentEvents } from '../sample-events.ts';

const MAX_WAITING = 500;
const DAY_MS = 86_400_000;
/** Run as ever while the date is another one. */
const TIMERS = [
  ...(['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const),
  ...(['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const),
];

const countWaiting = systemSql<{ waiting: number; once: boolean }, { tenantId: number }>(
  'test_count_waiting',
  `select (select count(*) from delivery_queue where tenant_id = $tenantId) as waiting,
     (select count(*) = count(distinct event_row) from deliveries where tenant_id = $tenantId) as once`,
);

const repeatDelivery = systemSql<never, { tenantId: number }>(
  'test_repeat_delivery',
  `insert into deliveries (id, created_at, tenant_id, endpoint_id, event_row, name)
   select day_id(nextval('delivery_ids'), created_at), created_at, tenant_id, endpoint_id, event_row, name
   from deliveries where tenant_id = $tenantId`,
);

describe('a replay', () => {
  let world: DeliveryWorld;
  let receiver: Receiver;
  let tenantId: number;
  let endpoint: { id: number };
  let workers: Loop[];

  beforeEach(async () => {
    world = await startDeliveryWorld();
    receiver = await startReceiver();
    tenantId = uniqueTenantId();
    workers = [];
  });

  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    await receiver.close();
    await world.stop();
  });

  const startWorker = async (perSecond: number, onQueued = () => {}) => {
    const worker = createWalkWorker('replays', { database: world.database, perSecond, onQueued, logger });
    workers.push(worker);
    await worker.start();
    return worker;
  };
  /** An endpoint that has got none of so many events, and the replay of them all. */
  const begin = async (events: number) => {
    for (let left = events; left > 0; left -= 500) {
      expect(await world.receive(...appointmentEvents(tenantId, Math.min(left, 500)))).toBe(0);
    }
    endpoint = await world.subscribe(tenantId, receiver.url);
    const from = new Date(Date.now() - 3_600_000);
    const wanted: CreateReplay = {
      kind: 'window',
      from,
      to: new Date(Date.now() + 3_600_000),
      include_delivered: false,
    };
    return world.apiDatabase
      .forTenant(tenantId)
      .transaction((tx) =>
        startReplay(tx, { endpointId: endpoint.id, by: BY_OPERATOR, retentionDays: 30 }, wanted),
      );
  };
  const show = async (id: number) => {
    const replay = await findReplay(world.apiDatabase.forTenant(tenantId), id);
    if (!replay) throw new Error('There is no replay.');
    return replay;
  };
  const eventuallyDone = (id: number) =>
    eventually(async () => {
      const replay = await show(id);
      expect(replay.status).toBe('done');
      return replay;
    }, REPLAYED_WITHIN);
  const counted = () => world.database.system.one(countWaiting, { tenantId });

  it('whose worker is stopped half way goes on where it was', async () => {
    const { id } = await begin(120);
    const { promise: stopped, resolve } = Promise.withResolvers<void>();
    const first = await startWorker(20, () => resolve(first.stop()));
    await stopped;
    expect(await show(id)).toMatchObject({ status: 'running', queued: 20 });
    expect(await counted()).toEqual({ waiting: 20, once: true });

    await startWorker(1_000);
    expect(await eventuallyDone(id)).toMatchObject({ total: 120, queued: 120, skipped: 0 });
    expect(await counted()).toEqual({ waiting: 120, once: true });
  });

  it('that several processes see is done once: each event arrives once', async () => {
    const { id } = await begin(400);
    await world.startEngine();
    await Promise.all([1, 2, 3].map(() => startWorker(100)));
    expect(await eventuallyDone(id)).toMatchObject({ total: 400, queued: 400 });
    await eventually(() => expect(receiver.requests).toHaveLength(400));
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(400);
  });

  it('goes on after its connections are cut, again and again, and nothing is doubled', async () => {
    const { id } = await begin(300);
    const admin = new Client({ connectionString: engines().databaseUrl });
    await admin.connect();
    await startWorker(100);
    for (const least of [1, 101, 201]) {
      await eventually(
        async () => expect((await show(id)).queued).toBeGreaterThanOrEqual(least),
        REPLAYED_WITHIN,
      );
      const name = new URL(world.url).pathname.slice(1);
      await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    }
    await admin.end();
    expect(await eventuallyDone(id)).toMatchObject({ total: 300, queued: 300, skipped: 0 });
    // A connection that was cut may be found out only now.
    await eventually(async () => expect(await counted()).toEqual({ waiting: 300, once: true }));
  });

  it('queues no faster than allowed', async () => {
    const { id } = await begin(41);
    await startWorker(20);
    const { created_at, finished_at } = await eventuallyDone(id);
    // Two full batches, each followed by a second.
    expect(Number(finished_at) - Number(created_at)).toBeGreaterThanOrEqual(2_000);
  });

  it('never has more than so many wait: it goes on as they are delivered', async () => {
    const { id } = await begin(1_100);
    await startWorker(10_000);
    await eventually(async () => expect((await show(id)).queued).toBe(MAX_WAITING), REPLAYED_WITHIN);
    expect(await counted()).toEqual({ waiting: MAX_WAITING, once: true });
    expect((await show(id)).status).toBe('running');

    const most: number[] = [];
    await world.startEngine({ perEndpoint: 50 });
    await eventually(async () => {
      most.push((await counted()).waiting);
      expect((await show(id)).status).toBe('done');
    }, REPLAYED_WITHIN);
    expect(Math.max(...most)).toBeLessThanOrEqual(MAX_WAITING);
    await eventually(() => expect(receiver.requests).toHaveLength(1_100));
  });

  it('of an endpoint that is disabled ends', async () => {
    const { id } = await begin(50);
    await world.database
      .forTenant(tenantId)
      .transaction((tx) => disableEndpoint(tx, { id: endpoint.id, version: 1, reason: 'gone' }));
    await startWorker(1_000);
    await eventually(
      async () =>
        expect(await show(id)).toMatchObject({
          status: 'cancelled',
          queued: 0,
          finished_at: expect.any(Date),
        }),
      REPLAYED_WITHIN,
    );
    expect(await counted()).toEqual({ waiting: 0, once: true });
  });

  it('that is cancelled is over by the clock of the database, which all processes share', async () => {
    const { id, created_at } = await begin(1);
    const inTwoDays = Date.now() + 2 * DAY_MS;
    jest.useFakeTimers({ now: inTwoDays, doNotFake: TIMERS });
    try {
      await world.apiDatabase.forTenant(tenantId).transaction((tx) => cancelReplay(tx, id));
    } finally {
      jest.useRealTimers();
    }
    const { status, finished_at } = await show(id);
    expect(status).toBe('cancelled');
    expect(Number(finished_at) - created_at.getTime()).toBeLessThan(DAY_MS);
  });

  it('could not double a delivery if it tried: the database refuses it', async () => {
    await world.subscribe(tenantId, receiver.url);
    expect(await world.receive(...appointmentEvents(tenantId, 1))).toBe(1);
    await expect(world.database.system.run(repeatDelivery, { tenantId })).rejects.toThrow(
      /deliveries_\d+_once/,
    );
  });
});
