import { Client } from 'pg';
import { engines, eventually, type Receiver, startReceiver, uniqueTenantId } from '../../../support/index.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../delivery-world.ts';
import { appointmentEvent, appointmentEvents } from '../sample-events.ts';
import { untilAnotherWaitsFor } from '../until-another-waits.ts';

const LONG_MS = 60_000;
const EXPIRED_MS = 0;

async function dropConnections(databaseUrl: string) {
  const admin = new Client({ connectionString: engines().databaseUrl });
  await admin.connect();
  const name = new URL(databaseUrl).pathname.slice(1);
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  await admin.end();
}

describe('leases', () => {
  let world: DeliveryWorld;
  let receiver: Receiver;
  let tenantId: number;

  const withDatabase = async <Result>(work: (client: Client) => Promise<Result>) => {
    const client = new Client({ connectionString: world.url });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };
  const queued = () =>
    withDatabase(async (client) => (await client.query('select from delivery_queue')).rowCount);
  const unleased = () =>
    withDatabase(
      async (client) => (await client.query('select from delivery_queue where lease_token is null')).rowCount,
    );
  const claimFrom = async (leaseMs: number, limit = 100) => {
    const { claims } = await world.queue(leaseMs).claim({
      fromTenantId: 1,
      limit,
      turns: new Map(),
      limits: {
        perTenant: 500,
        perEndpoint: 8,
        endpoints: new Map(),
        tenants: new Map(),
        full: new Set<number>(),
      },
      owner: world.owner(),
    });
    return claims;
  };

  beforeEach(async () => {
    world = await startDeliveryWorld();
    receiver = await startReceiver();
    tenantId = uniqueTenantId();
  });

  afterEach(async () => {
    await receiver.close();
    await world.stop();
  });

  it('let two engines share 1000 deliveries, each sent exactly once', async () => {
    for (let nth = 0; nth < 20; nth += 1) await world.subscribe(tenantId, `${receiver.url}/${nth}`);
    await world.receive(...appointmentEvents(tenantId, 50));
    // Nothing is answered until both have something under way.
    const answer = Promise.withResolvers<{ status: number }>();
    receiver.respondWith(() => answer.promise);
    const engines = await Promise.all([world.startEngine(), world.startEngine()]);
    for (const { metrics } of engines)
      await eventually(async () =>
        expect(await metrics.registry.metrics()).toMatch(/webhook_deliveries_in_flight [1-9]/),
      );
    answer.resolve({ status: 200 });

    await eventually(() => expect(receiver.requests).toHaveLength(1_000));
    await eventually(async () => {
      const { rows, total } = await world.log.page(tenantId, { page: 1, per_page: 1_000 });
      expect(total).toBe(1_000);
      expect(rows.every(({ status, attempt_count }) => status === 'delivered' && attempt_count === 1)).toBe(
        true,
      );
    });
    const seen = receiver.requests.map(({ path, headers }) => `${path} ${String(headers['webhook-id'])}`);
    expect(seen).toHaveLength(1_000);
    expect(new Set(seen).size).toBe(1_000);
    for (const { metrics } of engines)
      await eventually(async () =>
        expect(await metrics.registry.metrics()).toMatch(
          /webhook_deliveries_total\{outcome="delivered"\} [1-9]/,
        ),
      );
  });

  it('see every delivery through when all database connections are lost half way', async () => {
    await world.subscribe(tenantId, receiver.url);
    await world.receive(...appointmentEvents(tenantId, 300));
    await world.startEngine();
    await eventually(() => expect(receiver.requests.length).toBeGreaterThan(20));
    await dropConnections(world.url);

    await eventually(async () => {
      const { rows } = await world.log.page(tenantId, { page: 1, per_page: 300 });
      expect(rows.map(({ status }) => status)).toEqual(Array(300).fill('delivered'));
    });
    expect(new Set(receiver.requests.map(({ rawBody }) => rawBody)).size).toBe(300);
  });

  it('keep others from sending what is under way', async () => {
    await world.subscribe(tenantId, receiver.url);
    await world.receive(appointmentEvent(tenantId));
    expect(await claimFrom(LONG_MS)).toHaveLength(1);
    expect(await claimFrom(LONG_MS)).toHaveLength(0);
  });

  it('of a process that died end by themselves, without counting an attempt', async () => {
    await world.subscribe(tenantId, receiver.url);
    await world.receive(appointmentEvent(tenantId));
    expect(await claimFrom(EXPIRED_MS)).toHaveLength(1);

    await world.startEngine();
    await eventually(async () => expect((await world.latest(tenantId)).status).toBe('delivered'));
    expect(await world.latest(tenantId)).toMatchObject({ attempt_count: 1, attempts: [{ attempt: 1 }] });
  });

  it('of a process that died go on before all that has waited less long', async () => {
    await world.subscribe(tenantId, receiver.url);
    await world.receive(...appointmentEvents(tenantId, 20));
    const held = await claimFrom(EXPIRED_MS, 5);
    await world.receive(...appointmentEvents(tenantId, 20));
    expect(await world.queue(LONG_MS).freeLost()).toBe(5);
    expect((await claimFrom(LONG_MS, 5)).map(({ id }) => id)).toEqual(held.map(({ id }) => id));
  });

  it('that are given back make the delivery due again, without counting an attempt', async () => {
    await world.subscribe(tenantId, receiver.url);
    await world.receive(appointmentEvent(tenantId));
    await world.queue(LONG_MS).returnLeases(await claimFrom(LONG_MS));
    expect(await claimFrom(LONG_MS)).toMatchObject([{ attempt_count: 0 }]);
  });

  it('claim no more of an endpoint than it may have, and pass over one that may have none', async () => {
    const full = await world.subscribe(tenantId, receiver.url);
    const idle = await world.subscribe(tenantId, receiver.url);
    await world.receive(...appointmentEvents(tenantId, 10));
    const { claims } = await world.queue(LONG_MS).claim({
      fromTenantId: 1,
      limit: 100,
      owner: world.owner(),
      turns: new Map(),
      limits: {
        perTenant: 64,
        perEndpoint: 8,
        tenants: new Map(),
        endpoints: new Map([
          [full.id, 0],
          [idle.id, 5],
        ]),
        full: new Set(),
      },
    });
    expect(claims.map((claim) => claim.endpoint_id)).toEqual(Array(5).fill(idle.id));
  });

  it('go round the tenants once, from wherever they begin', async () => {
    const [a = 0, b = 0, c = 0] = [uniqueTenantId(), uniqueTenantId(), uniqueTenantId()].toSorted(
      (one, other) => one - other,
    );
    for (const id of [a, b, c]) {
      await world.subscribe(id, receiver.url);
      await world.receive(...appointmentEvents(id, 2));
    }
    const claimed = async (fromTenantId: number, limit: number) => {
      const { claims, hasMore } = await world.queue(LONG_MS).claim({
        fromTenantId,
        limit,
        owner: world.owner(),
        turns: new Map(),
        limits: { perTenant: 64, perEndpoint: 8, tenants: new Map(), endpoints: new Map(), full: new Set() },
      });
      await world.queue(LONG_MS).returnLeases(claims);
      const tenants = claims.map(({ tenant_id }) => tenant_id);
      return { tenants: tenants.toSorted((one, other) => one - other), hasMore };
    };
    expect(await claimed(b, 3)).toEqual({ tenants: [b, b, c], hasMore: true });
    expect(await claimed(c, 4)).toEqual({ tenants: [a, a, c, c], hasMore: true });
    for (const from of [1, a, b, c, c + 1])
      expect(await claimed(from, 7)).toEqual({ tenants: [a, a, b, b, c, c], hasMore: false });
  });

  it('say which tenants may have more: an endpoint, or the tenant, had all that it may', async () => {
    const [hot, shared, idle] = [uniqueTenantId(), uniqueTenantId(), uniqueTenantId()];
    const receive = async (id: number, endpoints: number, events: number) => {
      for (let nth = 0; nth < endpoints; nth += 1) await world.subscribe(id, `${receiver.url}/${nth}`);
      await world.receive(...appointmentEvents(id, events));
    };
    await receive(hot, 1, 9);
    await receive(shared, 5, 2);
    await receive(idle, 2, 3);
    const { claims, unfinished, hasMore } = await world.queue(LONG_MS).claim({
      fromTenantId: 1,
      limit: 100,
      owner: world.owner(),
      turns: new Map(),
      limits: {
        perTenant: 64,
        perEndpoint: 8,
        // Five endpoints share so many.
        tenants: new Map([[shared, { all: 6, perEndpoint: 8 }]]),
        endpoints: new Map(),
        full: new Set(),
      },
    });
    const counts = Map.groupBy(claims, ({ tenant_id }) => tenant_id);
    expect([hot, shared, idle].map((id) => counts.get(id)?.length)).toEqual([8, 6, 6]);
    expect(unfinished).toEqual(new Set([hot, shared]));
    expect(hasMore).toBe(false);
  });

  it('are worked off at a stop: what is under way is finished and recorded, the rest stays for later', async () => {
    await world.subscribe(tenantId, receiver.url);
    await world.receive(...appointmentEvents(tenantId, 5));
    const answer = Promise.withResolvers<{ status: number }>();
    receiver.respondWith(() => answer.promise);
    const { engine } = await world.startEngine({ perEndpoint: 2 });
    await eventually(() => expect(receiver.requests).toHaveLength(2));

    const stopped = engine.stop();
    // What was never leased: the answers make way for nothing.
    await eventually(async () => expect(await unleased()).toBe(3));
    answer.resolve({ status: 200 });
    await stopped;
    const { rows } = await world.log.page(tenantId, { page: 1, per_page: 10 });
    expect(rows.filter(({ status }) => status === 'delivered')).toHaveLength(2);
    expect(receiver.requests).toHaveLength(2);
    expect(await claimFrom(LONG_MS)).toHaveLength(3);
  });

  it('outlive the deletion of the endpoint: the result under way is still recorded, nothing else is sent', async () => {
    const endpoint = await world.subscribe(tenantId, receiver.url);
    await world.receive(...appointmentEvents(tenantId, 3));
    const answer = Promise.withResolvers<{ status: number }>();
    receiver.respondWith(() => answer.promise);
    await world.startEngine({ perEndpoint: 1 });
    await eventually(() => expect(receiver.requests).toHaveLength(1));

    expect(await world.endpoints.delete(tenantId, endpoint.id)).toBe(true);
    // What was never leased is cancelled.
    await eventually(async () => expect(await queued()).toBe(1));
    answer.resolve({ status: 200 });
    await eventually(async () => {
      const { rows } = await world.log.page(tenantId, { page: 1, per_page: 10 });
      expect(rows.map(({ status }) => status)).toEqual(['cancelled', 'cancelled', 'delivered']);
    });
    expect(receiver.requests).toHaveLength(1);
  });

  it('given back for an endpoint that was deleted meanwhile leave nothing in the queue', async () => {
    const endpoint = await world.subscribe(tenantId, receiver.url);
    await world.receive(appointmentEvent(tenantId));
    const claims = await claimFrom(LONG_MS);
    expect(claims).toHaveLength(1);
    await world.endpoints.delete(tenantId, endpoint.id);
    await world.queue(LONG_MS).returnLeases(claims);
    expect(await queued()).toBe(0);
    expect((await world.latest(tenantId)).status).toBe('cancelled');
  });

  it('an event that comes while its endpoint is being deleted leaves nothing waiting for it', async () => {
    const endpoint = await world.subscribe(tenantId, receiver.url);
    const count = await withDatabase(async (client) => {
      await client.query('begin');
      await client.query('update endpoints set is_active = false, deleted_at = now() where id = $1', [
        endpoint.id,
      ]);
      const receiving = world.receive(appointmentEvent(tenantId));
      await untilAnotherWaitsFor(client);
      await client.query('commit');
      return receiving;
    });
    expect(count).toBe(0);
    expect(await queued()).toBe(0);
    expect((await world.log.page(tenantId, { page: 1, per_page: 10 })).total).toBe(0);
  });
});
