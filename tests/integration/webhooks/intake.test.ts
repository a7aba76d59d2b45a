import type { DomainEvent } from '@frontdesk/contracts';
import { Client } from 'pg';
import type { Claim } from '../../../services/webhooks/src/data/queue.repository.ts';
import { uniqueTenantId } from '../../support/index.ts';
import { type DeliveryWorld, startDeliveryWorld } from './delivery-world.ts';
import { appointmentEvent, appointmentEvents } from './sample-events.ts';
import { createIntake } from './take-in.ts';
import { untilAnotherWaitsFor } from './until-another-waits.ts';

const MAX_AT_ONCE = 5_000;
const LEASE_MS = 60_000;

describe('taking events in', () => {
  let world: DeliveryWorld;
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
