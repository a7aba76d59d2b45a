import type { DomainEvent } from '@frontdesk/contracts';
import { Client } from 'pg';
import { uniqueTenantId } from '../../../support/index.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../delivery-world.ts';
import { appointmentEvent, customerEvent } from '../sample-events.ts';
import { createIntake } from '../take-in.ts';
import { watched } from '../watched-system.ts';

/** A process that has taken a tenant's events in before, and seesTranscripts of no change: what it remembers must not matter. */
describe('endpoints that have changed since a tenant’s last event', () => {
  let world: DeliveryWorld;
  let client: Client;
  let takeIn: ReturnType<typeof createIntake>;
  let tenantId: number;
  let first: number;
  /** Endpoints that deliveries were planned for. */
  let planned: number[];

  const addEndpoint = async (name = 'appointment.created') => {
    const { rows } = await client.query(
      `insert into endpoints (tenant_id, url, events, secret) values ($1, 'https://example.com/', array[$2], 'whsec_') returning id`,
      [tenantId, name],
    );
    return Number(rows[0].id);
  };
  const change = (assignments: string) =>
    client.query(`update endpoints set ${assignments} where tenant_id = $1`, [tenantId]);
  /** To whom the deliveries of these events went. */
  const deliveredTo = async (...received: DomainEvent[]) => {
    planned = [];
    await takeIn(...received);
    const { rows } = await client.query(
      'select d.endpoint_id from deliveries d join events e on e.id = d.event_row where e.event_id = any($1) order by 1',
      [received.map(({ event_id }) => event_id)],
    );
    return rows.map(({ endpoint_id }) => Number(endpoint_id));
  };

  beforeEach(async () => {
    world = await startDeliveryWorld();
    client = new Client({ connectionString: world.url });
    await client.connect();
    tenantId = uniqueTenantId();
    const system = watched(world.database.system, (statement, _answer, [values]) => {
      if (statement === 'events_receive') planned.push(...(values as { endpointIds: number[] }).endpointIds);
    });
    takeIn = createIntake({ system });
    first = await addEndpoint();
    expect(await deliveredTo(appointmentEvent(tenantId))).toEqual([first]);
  });

  afterEach(async () => {
    await client.end();
    await world.stop();
  });

  it('a new one gets the next event, and so do those of a tenant that had none', async () => {
    const second = await addEndpoint();
    expect(await deliveredTo(appointmentEvent(tenantId))).toEqual([first, second]);

    tenantId = uniqueTenantId();
    expect(await deliveredTo(appointmentEvent(tenantId))).toEqual([]);
    const own = await addEndpoint();
    expect(await deliveredTo(appointmentEvent(tenantId))).toEqual([own]);
  });

  it('one that listens to other events gets those, and no longer the former', async () => {
    await change(`events = array['customer.created'], version = version + 1`);
    expect(await deliveredTo(appointmentEvent(tenantId))).toEqual([]);
    expect(await deliveredTo(customerEvent(tenantId), appointmentEvent(tenantId))).toEqual([first]);
  });

  it('one that is paused or deleted gets none, and resumed it gets them again', async () => {
    await change('is_active = false, version = version + 1');
    expect(await deliveredTo(appointmentEvent(tenantId))).toEqual([]);
    await change('is_active = true, version = version + 1');
    expect(await deliveredTo(appointmentEvent(tenantId))).toEqual([first]);
    await change('deleted_at = now()');
    expect(await deliveredTo(appointmentEvent(tenantId))).toEqual([]);
    // From then on it isn't even planned for.
    expect(await deliveredTo(appointmentEvent(tenantId))).toEqual([]);
    expect(planned).toEqual([]);
  });

  it('one that changes between any two looks keeps no event out', async () => {
    const { system } = world.database;
    const restless = {
      ...system,
      async many(...args: Parameters<typeof system.many>) {
        const found = await system.many(...args);
        await change('version = version + 1');
        return found;
      },
    } as typeof system;
    const event = appointmentEvent(tenantId);
    await createIntake({ system: restless })(event);
    expect(await deliveredTo(event)).toEqual([first]);
  });
});
