import { randomUUID } from 'node:crypto';
import { eventually, uniqueTenantId } from '../../../support/index.ts';
import { receiver, startForEachTest, tenantId, world } from '../each-test.ts';
import { appointmentEvent, customerEvent } from '../sample-events.ts';

describe('events', () => {
  startForEachTest();

  const subscribe = async (path: string, events: string[], tenant = tenantId) => {
    const { status } = await world.request({
      method: 'POST',
      path: `/internal/tenants/${tenant}/webhooks`,
      body: { url: `${receiver.url}${path}`, events },
    });
    expect(status).toBe(201);
  };
  const received = () =>
    receiver.requests.map(
      ({ path, rawBody }) => `${path} ${(JSON.parse(rawBody) as { event: string }).event}`,
    );
  const deliveries = async () =>
    (await world.request({ path: `/internal/tenants/${tenantId}/webhooks/deliveries` })).body as {
      data: { status: string; event: string }[];
      meta: { total: number };
    };

  it('reach the subscribed endpoint with exactly {id, event, created_at, sequence, data}', async () => {
    await subscribe('/hook', ['appointment.updated']);
    const event = appointmentEvent(tenantId, 'appointment.updated', 7);
    await world.publish(event);
    await eventually(() => expect(receiver.requests).toHaveLength(1));
    const text = receiver.requests[0]?.rawBody ?? '';
    expect(JSON.parse(text)).toEqual({
      id: `evt_${event.event_id}`,
      event: 'appointment.updated',
      created_at: '2026-02-20T08:00:00.123Z',
      sequence: 7,
      data: event.data,
    });
    expect(Object.keys(JSON.parse(text) as object)).toEqual([
      'id',
      'event',
      'created_at',
      'sequence',
      'data',
    ]);
    expect(receiver.requests[0]?.headers['webhook-id']).toBe(`evt_${event.event_id}`);
  });

  it('reach each endpoint once, under the name it subscribed to, the canonical one where it named both', async () => {
    await subscribe('/canonical', ['appointment.created']);
    await subscribe('/alias', ['appointment.booked']);
    await subscribe('/both', ['appointment.booked', 'appointment.created']);
    await subscribe('/other', ['appointment.cancelled']);
    await world.publish(appointmentEvent(tenantId), customerEvent(tenantId));
    await eventually(async () => {
      const { data } = await deliveries();
      expect(data.map(({ status }) => status)).toEqual(['delivered', 'delivered', 'delivered']);
    });
    expect(received().toSorted()).toEqual([
      '/alias appointment.booked',
      '/both appointment.created',
      '/canonical appointment.created',
    ]);
  });

  it('that come again are not delivered again', async () => {
    await subscribe('/hook', ['appointment.created', 'appointment.booked', 'appointment.updated']);
    const event = appointmentEvent(tenantId);
    await world.publish(event, event);
    // Of the same appointment, so it comes last.
    await world.publish(event, appointmentEvent(tenantId, 'appointment.updated', 2));
    await eventually(() =>
      expect(received().toSorted()).toEqual(['/hook appointment.created', '/hook appointment.updated']),
    );
    expect((await deliveries()).meta.total).toBe(2);
  });

  it('that come again are not delivered to an endpoint that was added since', async () => {
    await subscribe('/first', ['appointment.created']);
    const event = appointmentEvent(tenantId);
    await world.publish(event);
    await eventually(() => expect(received()).toEqual(['/first appointment.created']));
    await subscribe('/second', ['appointment.booked']);
    await world.publish(
      event,
      appointmentEvent(tenantId, 'appointment.cancelled', 2),
      appointmentEvent(tenantId),
    );
    await eventually(() =>
      expect(received().toSorted()).toEqual([
        '/first appointment.created',
        '/first appointment.created',
        '/second appointment.booked',
      ]),
    );
  });

  it('of another tenant reach nobody here', async () => {
    const other = uniqueTenantId();
    await subscribe('/mine', ['appointment.created']);
    await subscribe('/theirs', ['appointment.created'], other);
    await world.publish(appointmentEvent(other));
    await eventually(() => expect(received()).toEqual(['/theirs appointment.created']));
    expect((await deliveries()).meta.total).toBe(0);
  });

  it('of types that this release does not know are passed over', async () => {
    await subscribe('/hook', ['appointment.created']);
    const known = appointmentEvent(tenantId);
    await world.publishRaw('appointments', {
      ...known,
      event_id: randomUUID(),
      type: 'appointment.archived',
    });
    await world.publish(known);
    await eventually(() => expect(received()).toEqual(['/hook appointment.created']));
  });

  it('make the service ready once Kafka has let it in', async () => {
    await eventually(async () => {
      expect(await world.request({ path: '/health/ready', role: null })).toEqual({
        status: 200,
        body: { status: 'ready' },
      });
    });
  });
});
