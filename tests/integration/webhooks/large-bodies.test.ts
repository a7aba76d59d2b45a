import { Client } from 'pg';
import { eventually, type Receiver, startReceiver, uniqueTenantId } from '../../support/index.ts';
import { insertBacklog } from './backlog.ts';
import { type DeliveryWorld, startDeliveryWorld } from './delivery-world.ts';
import { startHostileReceiver } from './hostile-receivers.ts';
import { customerEvent } from './sample-events.ts';
import { largeEvent, takeIn } from './take-in.ts';

const MIB = 1024 * 1024;
/** As a process has them by default. */
const IN_FLIGHT = { total: 400, perTenant: 64, perEndpoint: 20 };
const EVENTS = 12;
/** Endpoints of one tenant that all get the same. */
const SHARING = 100;
const CLAIM = 300;
const CLAIMED_BYTES = 16 * MIB;
const LEASE_MS = 60_000;

describe('large bodies', () => {
  let world: DeliveryWorld;
  let database: Client;
  let healthy: Receiver;
  let closings: (() => Promise<void>)[];
  let tenantId: number;
  let neighbourId: number;

  beforeEach(async () => {
    world = await startDeliveryWorld();
    database = new Client({ connectionString: world.url });
    await database.connect();
    healthy = await startReceiver();
    closings = [healthy.close];
    [tenantId, neighbourId] = [uniqueTenantId(), uniqueTenantId()];
  });

  afterEach(async () => {
    // First, so that nothing that the engine waits for at its stop hangs.
    await Promise.all(closings.map((close) => close()));
    await database.end();
    await world.stop();
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

  it('that one portion brings to many endpoints leave other tenants leases', async () => {
    const hanging = await startHostileReceiver('hang');
    closings.push(hanging.close);
    for (let nth = 0; nth < SHARING; nth += 1)
      await world.subscribe(tenantId, `${hanging.url}/${nth}`, ['customer.created']);
    await world.subscribe(neighbourId, healthy.url, ['customer.created']);
    const { engine } = await world.startEngine(IN_FLIGHT);
    const events = Array.from({ length: 5_000 / SHARING }, () => largeEvent(tenantId, 30 * 1024));
    await takeIn(world, engine, ...events);

    const endpoint = { tenant_id: neighbourId, id: 1, events: [], version: 1, consecutive_failures: 0 };
    const event = { eventId: '', name: 'customer.created', traceparent: null } as const;
    const planned = { endpoint, ...event, bodyPosition: 1 } as const;
    for (let nth = 0; nth < 10; nth += 1)
      expect(engine.take({ ...planned, held: { bytes: MIB, holders: 0 } })).toBe(true);
  });

  it('end a claim before it grows too long, and the next one goes on behind them', async () => {
    const before = await world.subscribe(neighbourId, healthy.url, ['customer.created']);
    const large = await addBacklog(healthy.url, 100);
    const behind = await world.subscribe(neighbourId, healthy.url, ['customer.created']);
    await world.receive(customerEvent(neighbourId));

    const claimedOf = new Map<number, number>();
    let afterEndpointId = 0;
    for (let count = 1; count <= 3; count += 1) {
      const { claims, tooMuch, hasMore } = await world.queue(LEASE_MS).claim({
        ...{ afterEndpointId, limit: CLAIM, owner: world.owner() },
        limits: { perEndpoint: 500, endpoints: new Map(), tenants: new Map() },
      });
      await world.queue(LEASE_MS).release(tooMuch);
      for (const { endpoint_id: id } of claims) claimedOf.set(id, (claimedOf.get(id) ?? 0) + 1);
      const bytes = claims.reduce((sum, { body }) => sum + body.length, 0);
      expect(bytes).toBeLessThanOrEqual(CLAIMED_BYTES);
      afterEndpointId = hasMore ? Math.max(...claims.map((claim) => claim.endpoint_id)) : 0;
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
