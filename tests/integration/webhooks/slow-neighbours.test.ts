import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { eventually, type Receiver, startReceiver, uniqueTenantId } from '../../support/index.ts';
import { countsOf, insertBacklog } from './backlog.ts';
import { type DeliveryWorld, startDeliveryWorld } from './delivery-world.ts';
import { startHostileReceiver } from './hostile-receivers.ts';
import { customerEvent } from './sample-events.ts';
import { takeIn } from './take-in.ts';

/** As a process has them by default. */
const IN_FLIGHT = { total: 400, perTenant: 64, perEndpoint: 20 };
const EVENTS = 5;
const SLOW_ANSWER_MS = 700;
/** More than it answers in the whole time that a test may take. */
const BACKLOG = 10_000;

describe('a healthy endpoint beside slow ones of its tenant', () => {
  let world: DeliveryWorld;
  let database: Client;
  let healthy: Receiver;
  let closings: (() => Promise<void>)[];
  let tenantId: number;

  beforeEach(async () => {
    world = await startDeliveryWorld();
    database = new Client({ connectionString: world.url });
    await database.connect();
    healthy = await startReceiver();
    closings = [healthy.close];
    wentBack = 0;
    tenantId = uniqueTenantId();
  });

  afterEach(async () => {
    // First, so that nothing that the engine waits for at its stop hangs.
    await Promise.all(closings.map((close) => close()));
    await database.end();
    await world.stop();
  });

  /** Each event only once the one before has come: none waits for another. */
  const getsNext = async (send: () => Promise<void>) => {
    const count = healthy.requests.length + 1;
    await send();
    await eventually(() => expect(healthy.requests).toHaveLength(count));
  };
  const addBacklogs = async (urls: string[], count: number) => {
    for (const url of urls) {
      const endpoint = await world.subscribe(tenantId, url);
      await insertBacklog(database, { tenantId, endpointId: endpoint.id, count });
    }
  };
  let wentBack: number;
  const leased = async () => {
    const { rows } = await database.query<{ count: number }>(
      'select count(*)::integer as count from delivery_queue where lease_token is not null',
    );
    return rows[0]?.count;
  };
  /** More is leased than may be in flight, and goes back to the queue after a second. */
  const areFoundSlow = async () => {
    await eventually(() => expect(wentBack).toBeGreaterThan(IN_FLIGHT.perTenant));
    await eventually(async () => expect(await leased()).toBeLessThanOrEqual(IN_FLIGHT.perTenant));
  };
  const startEngine = async () => {
    await world.subscribe(tenantId, healthy.url, ['customer.created']);
    const { engine } = await world.startEngine({
      ...IN_FLIGHT,
      released: (leases) => (wentBack += leases.length),
    });
    await getsNext(() => takeIn(world, engine, customerEvent(tenantId)));
    return engine;
  };
  it.each(['as it comes in', 'from the queue'])(
    `gets every event, taken %s, while one that answers after ${SLOW_ANSWER_MS} ms still works its backlog off`,
    async (how) => {
      const slow = await startReceiver();
      closings.push(slow.close);
      slow.respondWith(async () => {
        await delay(SLOW_ANSWER_MS);
        return { status: 200 };
      });
      const engine = await startEngine();
      await addBacklogs([slow.url], BACKLOG);
      engine.wake();
      await areFoundSlow();

      while (healthy.requests.length < EVENTS) {
        // Few and far between: what the healthy one gets must not make its tenant look fast.
        const round = slow.requests.length + IN_FLIGHT.perEndpoint;
        await eventually(() => expect(slow.requests.length).toBeGreaterThanOrEqual(round));
        await getsNext(async () => {
          if (how === 'as it comes in') return takeIn(world, engine, customerEvent(tenantId));
          await world.receive(customerEvent(tenantId));
          engine.wake();
        });
      }
      expect((await countsOf(database, tenantId)).pending).toBeGreaterThan(IN_FLIGHT.perEndpoint);
    },
  );

  it('gets every event while three that never answer have as many in flight as they may', async () => {
    const hanging = await startHostileReceiver('hang');
    closings.push(hanging.close);
    const engine = await startEngine();
    await addBacklogs(
      ['/1', '/2', '/3'].map((path) => hanging.url + path),
      500,
    );
    engine.wake();
    await areFoundSlow();

    while (healthy.requests.length < EVENTS)
      await getsNext(() => takeIn(world, engine, customerEvent(tenantId)));
    expect(hanging.answers).toHaveLength(0);
  });
});
