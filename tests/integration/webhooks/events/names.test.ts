import { createHmac } from 'node:crypto';
import type { DomainEvent, WebhookEventName } from '@frontdesk/contracts';
import { Client } from 'pg';
import { eventually, type Receiver, startReceiver, uniqueTenantId } from '../../../support/index.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../delivery-world.ts';
import { appointmentEvent } from '../sample-events.ts';

/** The parts of release 0.1.0's claim by which it takes what it sends. */
const CLAIM_OF_0_1_0 = `
  with leased as (
    update delivery_queue q
    set lease_token = gen_random_uuid(), lease_owner = $1, leased_until = now() + interval '10 minutes'
    where q.ctid = any(array(
      select ctid from delivery_queue
      where lease_token is null and endpoint_id = $2 and due_at <= now() order by due_at, delivery_id for update skip locked))
    returning q.tenant_id, q.delivery_id, q.endpoint_id, q.event_row, q.attempt_count, q.due_at
  )
  select l.delivery_id as id, v.event_id, v.body from leased l
  cross join lateral (
    select v.event_id, v.body from events v where v.tenant_id = l.tenant_id and v.id = l.event_row limit 1
  ) v`;

/** As release 0.1.0 takes an event in: a row for each name. */
const RECEIVE_OF_0_1_0 = `
  with stored as (
    insert into events (tenant_id, id, event_id, name, sequence, occurred_at, body)
    select $1, day_id(nextval('event_ids')), $2::uuid, name, 1, now(), '{"id":"evt_' || $2 || '","event":"' || name || '","data":{ }}'
    from unnest(array['appointment.created', 'appointment.booked']) as name
    returning id, name
  ), logged as (
    insert into deliveries (tenant_id, id, endpoint_id, event_row, name)
    select $1, day_id(nextval('delivery_ids')), $3, id, name from stored where name = 'appointment.booked' returning *
  )
  insert into delivery_queue (delivery_id, tenant_id, endpoint_id, event_row)
  select id, tenant_id, endpoint_id, event_row from logged`;

/** As release 0.1.0 sends a delivery again. */
const QUEUE_AGAIN_OF_0_1_0 = `
  with again as (
    update deliveries d set status = 'pending', next_attempt_at = now(), delivered_at = null where endpoint_id = $1
    returning d.tenant_id, d.endpoint_id, d.id, d.event_row
  )
  insert into delivery_queue (delivery_id, tenant_id, endpoint_id, event_row)
  select id, tenant_id, endpoint_id, event_row from again`;

const bodyOf = (event: DomainEvent, name: WebhookEventName) =>
  JSON.stringify({
    id: `evt_${event.event_id}`,
    event: name,
    created_at: event.occurred_at,
    sequence: event.aggregate_version,
    data: event.data,
  });

describe('an event that endpoints get under different names', () => {
  let world: DeliveryWorld;
  let client: Client;
  let receiver: Receiver;
  let tenantId: number;
  let event: DomainEvent;

  beforeEach(async () => {
    world = await startDeliveryWorld();
    client = new Client({ connectionString: world.url });
    await client.connect();
    receiver = await startReceiver();
    tenantId = uniqueTenantId();
    event = appointmentEvent(tenantId);
  });

  afterEach(async () => {
    await client.end();
    await receiver.close();
    await world.stop();
  });

  const subscribe = (path: string, name: WebhookEventName) =>
    world.subscribe(tenantId, `${receiver.url}${path}`, [name]);
  const bodiesAt = (path: string) =>
    receiver.requests.filter((request) => request.path === path).map(({ rawBody }) => rawBody);
  const storedNames = async () => {
    const { rows } = await client.query<{ name: string }>('select name from events order by id');
    return rows.map(({ name }) => name);
  };
  const logged = async () => (await world.log.page(tenantId, { page: 1, per_page: 100 })).rows;
  const settled = (...statuses: string[]) =>
    eventually(async () =>
      expect((await logged()).map(({ status }) => status).toSorted()).toEqual(statuses.toSorted()),
    );
  const claimAs0_1_0 = async (endpointId: number) =>
    (await client.query<{ event_id: string; body: string }>(CLAIM_OF_0_1_0, [world.owner(), endpointId]))
      .rows;

  it('is stored once; each attempt of a delivery sends the same bytes, under the name subscribed to, and signed', async () => {
    const [own, booked] = [
      await subscribe('/own', 'appointment.created'),
      await subscribe('/booked', 'appointment.booked'),
    ];
    receiver.respondWith(() => ({ status: receiver.requests.length < 6 ? 500 : 200 }));
    await world.receive(event);
    await world.startEngine();
    await settled('delivered', 'failed');
    expect(await storedNames()).toEqual(['appointment.created']);
    expect(bodiesAt('/own')).toEqual(Array(3).fill(bodyOf(event, 'appointment.created')));
    expect(bodiesAt('/booked')).toEqual(Array(3).fill(bodyOf(event, 'appointment.booked')));
    for (const { path, headers, rawBody } of receiver.requests) {
      const { secret } = path === '/own' ? own : booked;
      const signature = createHmac('sha256', secret).update(rawBody).digest('hex');
      expect(headers['x-service-signature']).toBe(`sha256=${signature}`);
    }
    for (const { id, name } of await logged())
      expect(await world.log.find(tenantId, id)).toMatchObject({ event: name, payload: { event: name } });
  });

  it('that release 0.1.0 has stored under each name goes out with the bytes of then', async () => {
    const { id } = await subscribe('/booked', 'appointment.booked');
    await client.query(RECEIVE_OF_0_1_0, [tenantId, event.event_id, id]);
    await world.startEngine();
    await settled('delivered');
    expect(bodiesAt('/booked')).toEqual([
      `{"id":"evt_${event.event_id}","event":"appointment.booked","data":{ }}`,
    ]);
    expect(await storedNames()).toEqual(['appointment.created', 'appointment.booked']);
  });

  it('is claimed by a process of 0.1.0 with the same bytes, and goes on in one of this release', async () => {
    const own = await subscribe('/own', 'appointment.created');
    const endpoints = [
      await subscribe('/booked', 'appointment.booked'),
      await subscribe('/other', 'appointment.booked'),
    ];
    await world.receive(event);
    expect(await claimAs0_1_0(own.id)).toMatchObject([{ body: bodyOf(event, 'appointment.created') }]);
    for (const { id } of endpoints) {
      const claimed = [...(await claimAs0_1_0(id)), ...(await claimAs0_1_0(id))];
      expect(claimed).toEqual([
        { id: expect.anything(), event_id: event.event_id, body: bodyOf(event, 'appointment.booked') },
      ]);
    }
    expect(await storedNames()).toEqual(['appointment.created', 'appointment.booked']);

    // What it didn't get to goes on in a process of this release.
    await client.query(
      'update delivery_queue set lease_token = null, lease_owner = null, leased_until = null',
    );
    await world.startEngine();
    await settled('delivered', 'delivered', 'delivered');
    expect(bodiesAt('/booked')).toEqual([bodyOf(event, 'appointment.booked')]);
    expect(bodiesAt('/other')).toEqual([bodyOf(event, 'appointment.booked')]);
  });

  it('keeps the name of a delivery that a process of 0.1.0 sends again', async () => {
    const { id } = await subscribe('/booked', 'appointment.booked');
    await world.receive(event);
    const { engine } = await world.startEngine();
    await settled('delivered');
    await client.query(QUEUE_AGAIN_OF_0_1_0, [id]);
    engine.wake();
    await eventually(() =>
      expect(bodiesAt('/booked')).toEqual(Array(2).fill(bodyOf(event, 'appointment.booked'))),
    );
  });
});
