import { Client } from 'pg';
import type { ClaimRow } from '../../../../services/webhooks/src/queue/queue.statements.ts';
import { type Receiver, startReceiver, uniqueTenantId } from '../../../support/index.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../delivery-world.ts';
import { queueOn } from '../queue-on.ts';
import { appointmentEvent, appointmentEvents } from '../sample-events.ts';
import { watched } from '../watched-system.ts';

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

const request = () => ({
  fromTenantId: 1,
  limit: 100,
  owner: world.owner(),
  turns: new Map<number, number>(),
  limits: {
    perTenant: 500,
    perEndpoint: 8,
    endpoints: new Map<number, number>(),
    tenants: new Map(),
    full: new Set<number>(),
  },
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
  const { claims } = await world.queue(60_000).claim(request());
  expect(claims.map(({ id }) => id)).toEqual(longestDue.slice(0, 4));
});

it('a claim brings the body of an event once, however many of its deliveries it leases under whichever names', async () => {
  const tenantId = uniqueTenantId();
  for (let n = 0; n < 6; n += 1)
    await world.subscribe(tenantId, receiver.url, [n % 2 ? 'appointment.booked' : 'appointment.created']);
  const event = appointmentEvent(tenantId);
  await world.receive({ ...event, data: { ...event.data, notes: 'x'.repeat(1_000_000) } });
  let bodies = 0;
  const system = watched(world.database.system, (_statement, rows) => {
    bodies = (rows as ClaimRow[]).filter((row) => row.tenant_id === tenantId && row.body !== null).length;
  });
  const { claims, tooMuch } = await queueOn(system, 60_000).claim(request());
  expect(bodies).toBe(1);
  const own = claims.filter(({ tenant_id }) => tenant_id === tenantId);
  expect([own.length, tooMuch.filter(({ tenant_id }) => tenant_id === tenantId)]).toEqual([6, []]);
  // Those of one name share it.
  expect(new Set(own.map(({ body }) => body)).size).toBe(2);
  for (const { name, body } of own) expect(JSON.parse(String(body))).toMatchObject({ event: name });
});
