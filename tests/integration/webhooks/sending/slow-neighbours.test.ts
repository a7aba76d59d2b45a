import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { eventually, type Receiver, startReceiver, uniqueTenantId } from '../../../support/index.ts';
import { countsOf, insertBacklog } from '../backlog.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../delivery-world.ts';
import { startHostileReceiver } from '../hostile-receivers.ts';
import { customerEvent } from '../sample-events.ts';
import { largeEvent, takeIn } from '../take-in.ts';

/** As a process has them by default. */
const IN_FLIGHT = { total: 400, perTenant: 64, perEndpoint: 20 };
let world: DeliveryWorld;
let database: Client;
let healthy: Receiver;
let closings: (() => Promise<void>)[];
let tenantId: number;
afterEach(async () => {
  // First, so that nothing that the engine waits for at its stop hangs.
  await Promise.all(closings.map((close) => close()));
  await database.end();
  await world.stop();
});

describe('a healthy endpoint beside slow ones of its tenant', () => {
  const EVENTS = 5;
  const SLOW_ANSWER_MS = 700;
  /** More than it answers in the whole time that a test may take. */
  const BACKLOG = 10_000;

  beforeEach(async () => {
    world = await startDeliveryWorld();
    database = new Client({ connectionString: world.url });
    await database.connect();
    healthy = await startReceiver();
    closings = [healthy.close];
    tenantId = uniqueTenantId();
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
  const startEngine = async () => {
    await world.subscribe(tenantId, healthy.url, ['customer.created']);
    const { engine } = await world.startEngine(IN_FLIGHT);
    await getsNext(() => takeIn(world, engine, customerEvent(tenantId)));
    return engine;
  };
  it(`gets every event while one that answers after ${SLOW_ANSWER_MS} ms still works its backlog off`, async () => {
    const slow = await startReceiver();
    closings.push(slow.close);
    slow.respondWith(async () => {
      await delay(SLOW_ANSWER_MS);
      return { status: 200 };
    });
    const engine = await startEngine();
    await addBacklogs([slow.url], BACKLOG);
    engine.wake();
    await eventually(() => expect(slow.requests.length).toBeGreaterThanOrEqual(IN_FLIGHT.perEndpoint));

    while (healthy.requests.length < EVENTS) {
      // Few and far between: what the healthy one gets must not make its tenant look fast.
      const round = slow.requests.length + IN_FLIGHT.perEndpoint;
      await eventually(() => expect(slow.requests.length).toBeGreaterThanOrEqual(round));
      await getsNext(() => takeIn(world, engine, customerEvent(tenantId)));
    }
    expect((await countsOf(database, tenantId)).pending).toBeGreaterThan(IN_FLIGHT.perEndpoint);
  });

  it('gets every event while six that never answer have as many in flight as they may', async () => {
    const hanging = await startHostileReceiver('hang');
    closings.push(hanging.close);
    const engine = await startEngine();
    await addBacklogs(
      ['/1', '/2', '/3', '/4', '/5', '/6'].map((path) => hanging.url + path),
      500,
    );
    engine.wake();
    await eventually(() => expect(hanging.open()).toBeGreaterThan(2 * IN_FLIGHT.perEndpoint));

    while (healthy.requests.length < EVENTS)
      await getsNext(() => takeIn(world, engine, customerEvent(tenantId)));
    expect(hanging.answers).toHaveLength(0);
  });
});

describe('large bodies', () => {
  const MIB = 1024 * 1024;
  const EVENTS = 12;
  /** Endpoints of one tenant that all get the same. */
  const SHARING = 100;
  const CLAIM = 300;
  const CLAIMED_BYTES = 16 * MIB;
  const LEASE_MS = 60_000;

  let neighbourId: number;

  beforeEach(async () => {
    world = await startDeliveryWorld();
    database = new Client({ connectionString: world.url });
    await database.connect();
    healthy = await startReceiver();
    closings = [healthy.close];
    [tenantId, neighbourId] = [uniqueTenantId(), uniqueTenantId()];
  });

  const addBacklog = async (url: string, count: number) => {
    const endpoint = await world.subscribe(tenantId, url);
    await insertBacklog(database, { tenantId, endpointId: endpoint.id, count, bytes: MIB });
    return endpoint;
  };
  /** Each event only once the one before has come: none waits for another. */
  const neighbourGetsEach = async (next: () => Promise<void>) => {
    for (let count = 1; count <= EVENTS; count += 1) {
      await next();
      await eventually(() => expect(healthy.requests).toHaveLength(count));
    }
  };

  it('for a tenant whose endpoints never answer leave other tenants their deliveries', async () => {
    const hanging = await startHostileReceiver('hang');
    closings.push(hanging.close);
    for (const path of ['/1', '/2', '/3', '/4'])
      await world.subscribe(tenantId, hanging.url + path, ['customer.created']);
    await world.subscribe(neighbourId, healthy.url, ['customer.created']);
    const { engine } = await world.startEngine(IN_FLIGHT);
    for (let count = 0; count < 40; count += 1) await takeIn(world, engine, largeEvent(tenantId, 2 * MIB));
    await eventually(() => expect(hanging.open()).toBeGreaterThan(0));

    await neighbourGetsEach(() => takeIn(world, engine, customerEvent(neighbourId)));
    expect(hanging.answers).toHaveLength(0);
  });

  it('that one portion brings to many endpoints leave other tenants their deliveries', async () => {
    const hanging = await startHostileReceiver('hang');
    closings.push(hanging.close);
    for (let nth = 0; nth < SHARING; nth += 1)
      await world.subscribe(tenantId, `${hanging.url}/${nth}`, ['customer.created']);
    await world.subscribe(neighbourId, healthy.url, ['customer.created']);
    const { engine } = await world.startEngine(IN_FLIGHT);
    const events = Array.from({ length: 5_000 / SHARING }, () => largeEvent(tenantId, 30 * 1024));
    await takeIn(world, engine, ...events);
    await eventually(() => expect(hanging.open()).toBeGreaterThan(0));

    await neighbourGetsEach(() => takeIn(world, engine, largeEvent(neighbourId, MIB)));
    expect(hanging.answers).toHaveLength(0);
  });

  it('end a claim before it grows too long, and the next one goes on behind them', async () => {
    const before = await world.subscribe(neighbourId, healthy.url, ['customer.created']);
    const large = await addBacklog(healthy.url, 100);
    const behind = await world.subscribe(neighbourId, healthy.url, ['customer.created']);
    await world.receive(customerEvent(neighbourId));

    const claimedOf = new Map<number, number>();
    let fromTenantId = 1;
    for (let count = 1; count <= 3; count += 1) {
      const { claims, tooMuch, hasMore } = await world.queue(LEASE_MS).claim({
        fromTenantId,
        limit: CLAIM,
        owner: world.owner(),
        turns: new Map(),
        limits: {
          perTenant: 500,
          perEndpoint: 500,
          endpoints: new Map(),
          tenants: new Map(),
          full: new Set<number>(),
        },
      });
      await world.queue(LEASE_MS).returnLeases(tooMuch);
      for (const { endpoint_id: id } of claims) claimedOf.set(id, (claimedOf.get(id) ?? 0) + 1);
      const bytes = claims.reduce((sum, { body }) => sum + body.length, 0);
      expect(bytes).toBeLessThanOrEqual(CLAIMED_BYTES);
      if (hasMore) fromTenantId = Math.max(...claims.map((claim) => claim.tenant_id)) + 1;
    }
    expect(claimedOf.get(before.id)).toBe(1);
    expect(claimedOf.get(behind.id)).toBe(1);
    expect(claimedOf.get(large.id)).toBeGreaterThan(2);
    // What came without its body is free again.
    const { rows } = await database.query(
      'select count(*)::integer as leased from delivery_queue where lease_token is not null',
    );
    expect(rows[0].leased).toBe([...claimedOf.values()].reduce((sum, count) => sum + count, 0));
  });
});
