import { Client } from 'pg';
import { type Receiver, startReceiver, uniqueTenantId } from '../../support/index.ts';
import { type DeliveryWorld, startDeliveryWorld } from './delivery-world.ts';
import { appointmentEvents } from './sample-events.ts';

let world: DeliveryWorld;
let receiver: Receiver;
beforeAll(async () => {
  world = await startDeliveryWorld();
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver?.close();
  await world?.stop();
});

it('of bodies that are too large together, a claim brings those of the longest due', async () => {
  const tenantId = uniqueTenantId();
  await world.subscribe(tenantId, receiver.url);
  await world.receive(...appointmentEvents(tenantId, 8));
  const client = new Client({ connectionString: world.url });
  await client.connect();
  await client.query("update events set body = repeat('x', 4000000)");
  // The youngest have waited longest, as where older ones were tried and have come due again.
  const { rows } = await client.query<{ id: string }>(
    `with places as (select delivery_id, row_number() over (order by delivery_id desc) as place from delivery_queue)
     update delivery_queue q set due_at = now() - interval '1 hour' + place * interval '1 minute'
     from places where places.delivery_id = q.delivery_id returning q.delivery_id as id`,
  );
  await client.end();
  const longestDue = rows.map(({ id }) => Number(id)).sort((one, other) => other - one);
  const { claims } = await world.queue(60_000).claim({
    ...{ afterEndpointId: 0, limit: 100, owner: world.owner() },
    limits: { perEndpoint: 8, endpoints: new Map(), tenants: new Map() },
  });
  expect(claims.map(({ id }) => id)).toEqual(longestDue.slice(0, 4));
});
