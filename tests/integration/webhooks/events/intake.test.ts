import type { DomainEvent } from '@frontdesk/contracts';
import { Client } from 'pg';
import { eventually, type Receiver, startReceiver, uniqueTenantId } from '../../../support/index.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../delivery-world.ts';
import { appointmentEvent, appointmentEvents } from '../sample-events.ts';
import { createIntake, takeIn } from '../take-in.ts';

let world: DeliveryWorld;

describe('taking events in', () => {
  const MAX_AT_ONCE = 5_000;

  let client: Client;
  let takeIn: ReturnType<typeof createIntake>;
  let tenantId: number;

  beforeEach(async () => {
    world = await startDeliveryWorld();
    client = new Client({ connectionString: world.url });
    await client.connect();
    tenantId = uniqueTenantId();
    takeIn = createIntake(world.database);
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
    expect(await deliveriesOf(tenantId)).toBe(MAX_AT_ONCE);

    expect(await takeIn(first, second, third)).toEqual([0, MAX_AT_ONCE / 2]);
    expect(await deliveriesOf(tenantId)).toBe(1.5 * MAX_AT_ONCE);
  });

  it('distinguishes an event that came before from another tenant’s with the same id', async () => {
    const neighbourId = uniqueTenantId();
    await Promise.all([addEndpoints(tenantId, 1), addEndpoints(neighbourId, 1)]);
    const event = appointmentEvent(tenantId);
    await takeIn(event);
    await takeIn(event, { ...appointmentEvent(neighbourId), event_id: event.event_id });
    expect(await Promise.all([tenantId, neighbourId].map(deliveriesOf))).toEqual([1, 1]);
  });
});

describe('events that come again', () => {
  const EVENTS = 150;
  let receiver: Receiver;

  beforeEach(async () => {
    world = await startDeliveryWorld();
    receiver = await startReceiver();
  });

  afterEach(async () => {
    await world.stop();
    await receiver.close();
  });

  it('are sent once, while they wait, are in flight or have been delivered', async () => {
    const tenantId = uniqueTenantId();
    await world.subscribe(tenantId, receiver.url);
    const { engine } = await world.startEngine({ perEndpoint: 1 });
    const [first, second] = [appointmentEvents(tenantId, EVENTS), appointmentEvents(tenantId, EVENTS)];
    await takeIn(world, engine, ...first);
    await takeIn(world, engine, ...first);
    await takeIn(world, engine, ...second);
    await eventually(() => expect(receiver.requests).toHaveLength(2 * EVENTS));
    await takeIn(world, engine, ...second, appointmentEvent(tenantId));
    await eventually(() => expect(receiver.requests).toHaveLength(2 * EVENTS + 1));
  });
});
