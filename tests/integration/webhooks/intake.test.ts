import type { DomainEvent } from '@frontdesk/contracts';
import { Client } from 'pg';
import type { Claim } from '../../../services/webhooks/src/data/queue.repository.ts';
import { eventually, type Receiver, startReceiver, uniqueTenantId } from '../../support/index.ts';
import { type DeliveryWorld, startDeliveryWorld } from './delivery-world.ts';
import { appointmentEvent, appointmentEvents } from './sample-events.ts';
import { createIntake, takeIn } from './take-in.ts';
import { untilAnotherWaitsFor } from './until-another-waits.ts';

let world: DeliveryWorld;

describe('taking events in', () => {
  const MAX_AT_ONCE = 5_000;
  const LEASE_MS = 60_000;

  let client: Client;
  let takeIn: ReturnType<typeof createIntake>;
  let tenantId: number;
  /** Endpoint id → pre-leases taken. */
  let taken: Map<number, number>;
  let sent: Claim[];

  beforeEach(async () => {
    world = await startDeliveryWorld();
    client = new Client({ connectionString: world.url });
    await client.connect();
    tenantId = uniqueTenantId();
    taken = new Map();
    const add = (id: number, change: number) => taken.set(id, (taken.get(id) ?? 0) + change);
    sent = [];
    takeIn = createIntake(world.database, {
      take: ({ endpoint }) => add(endpoint.id, 1) !== undefined,
      giveBack: ({ endpoint }) => add(endpoint.id, -1),
      owner: () => world.owner(),
      leaseMs: LEASE_MS,
      send: (claims) => void sent.push(...claims),
    });
  });

  afterEach(async () => {
    await client.end();
    await world.stop();
  });

  const addEndpoints = (tenant: number, count: number) =>
    client.query(
      `insert into endpoints (tenant_id, url, events, secret)
       select $1, 'https://example.com/' || n, array['appointment.created'], 'whsec_' from generate_series(1, $2::integer) n`,
      [tenant, count],
    );
  const deliveriesOf = async (tenant: number) =>
    Number(
      (await client.query('select count(*) from deliveries where tenant_id = $1', [tenant])).rows[0].count,
    );

  it('goes in portions where a tenant’s endpoints make many deliveries of it, and no other tenant’s event is left out', async () => {
    const neighbourId = uniqueTenantId();
    await addEndpoints(tenantId, 450);
    await addEndpoints(neighbourId, 1);
    const flood = appointmentEvents(tenantId, 40);
    const portions = await takeIn(...flood.slice(0, 20), appointmentEvent(neighbourId), ...flood.slice(20));
    expect(portions).toEqual([4_950, 4_951, 4_950, 3_150]);
    expect(Math.max(...portions)).toBeLessThanOrEqual(MAX_AT_ONCE);
    expect(await Promise.all([tenantId, neighbourId].map(deliveriesOf))).toEqual([18_000, 1]);
  });

  it('keeps the portions before one that fails, and adds what is missing when all of it comes again', async () => {
    await addEndpoints(tenantId, MAX_AT_ONCE / 2);
    const [first, second, third] = appointmentEvents(tenantId, 3) as [DomainEvent, DomainEvent, DomainEvent];
    await expect(takeIn(first, second, { ...third, occurred_at: 'some day' })).rejects.toThrow('some day');
    expect(sent).toHaveLength(MAX_AT_ONCE);
    expect(await deliveriesOf(tenantId)).toBe(MAX_AT_ONCE);
    // The room of what was not kept is there again.
    expect([...new Set(taken.values())]).toEqual([2]);

    expect(await takeIn(first, second, third)).toEqual([0, MAX_AT_ONCE / 2]);
    expect(await deliveriesOf(tenantId)).toBe(1.5 * MAX_AT_ONCE);
  });

  it('distinguishes an event that came before from another tenant’s with the same id', async () => {
    const neighbourId = uniqueTenantId();
    await Promise.all([addEndpoints(tenantId, 1), addEndpoints(neighbourId, 1)]);
    const event = appointmentEvent(tenantId);
    await takeIn(event);
    await takeIn(event, { ...appointmentEvent(neighbourId), event_id: event.event_id });
    expect(sent.map(({ tenant_id }) => tenant_id)).toEqual([tenantId, neighbourId]);
    expect(await Promise.all([tenantId, neighbourId].map(deliveriesOf))).toEqual([1, 1]);
  });

  it('leases from the moment of writing and sends to where the endpoint is by then, however long it waited for it', async () => {
    await addEndpoints(tenantId, 1);
    await client.query('begin');
    await client.query(
      `update endpoints set url = 'https://example.com/moved', previous_secret = 'whsec_second', secret = 'whsec_third',
         previous_secret_until = now() + interval '1 day', version = 3, consecutive_failures = 7 where tenant_id = $1`,
      [tenantId],
    );
    const receiving = takeIn(appointmentEvent(tenantId));
    await untilAnotherWaitsFor(client);
    const { rows: before } = await client.query('select clock_timestamp() as at');
    await client.query('commit');

    await receiving;
    expect(sent).toEqual([
      expect.objectContaining({
        ...{ url: 'https://example.com/moved', secret: 'whsec_third', previous_secret: 'whsec_second' },
        ...{ endpoint_version: 3, consecutive_failures: 7 },
      }),
    ]);
    const { rows: leases } = await client.query('select leased_until from delivery_queue');
    expect(leases[0].leased_until.getTime()).toBeGreaterThanOrEqual(before[0].at.getTime() + LEASE_MS);
  });
});

describe('pre-leasing', () => {
  const EVENTS = 150;
  /** With one delivery in flight at most an endpoint is given up to so many leases. */
  const PER_ENDPOINT = 1;
  const LEASES = 100;

  let receiver: Receiver;

  beforeEach(async () => {
    world = await startDeliveryWorld();
    receiver = await startReceiver();
  });

  afterEach(async () => {
    await world.stop();
    await receiver.close();
  });

  it('gets all of its leases back, for deliveries that were sent, queued after all, or had come before', async () => {
    const tenantId = uniqueTenantId();
    const { id } = await world.subscribe(tenantId, receiver.url);
    const { engine } = await world.startEngine({ perEndpoint: PER_ENDPOINT });
    const events = () => Array.from({ length: EVENTS }, () => appointmentEvent(tenantId));
    const [first, second] = [events(), events()];
    await takeIn(world, engine, ...first);
    await takeIn(world, engine, ...first);
    await takeIn(world, engine, ...second);
    await eventually(() => expect(receiver.requests).toHaveLength(2 * EVENTS));
    await takeIn(world, engine, ...second);

    const endpoint = { tenant_id: tenantId, id, events: [], version: 1, consecutive_failures: 0 };
    const delivery = {
      endpoint,
      eventId: '',
      name: 'appointment.created',
      bodyPosition: 1,
      traceparent: null,
      held: { bytes: 2, holders: 0 },
    } as const;
    const takeAll = () => {
      let taken = 0;
      while (engine.take(delivery)) taken += 1;
      for (let nth = 0; nth < taken; nth += 1) engine.giveBack(delivery);
      return taken;
    };
    await eventually(() => {
      // The one that is refused is as good as queued: a claim has to see first that nothing is.
      engine.wake();
      expect(takeAll()).toBe(LEASES);
    });
    expect(receiver.requests).toHaveLength(2 * EVENTS);
  });
});
