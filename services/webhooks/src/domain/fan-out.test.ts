import type { DomainEvent } from '@frontdesk/contracts';
import { fanOut } from './fan-out.ts';

const event = (fields: Partial<DomainEvent>) =>
  ({
    event_id: '0197a000-0000-7000-8000-000000000001',
    type: 'appointment.created',
    schema_version: 1,
    tenant_id: 1,
    aggregate_id: 5,
    aggregate_version: 3,
    occurred_at: '2026-03-02T10:00:00.000Z',
    data: { id: 5, notes: 'Zoë' },
    ...fields,
  }) as DomainEvent;

const endpoint = (id: number, events: string[], tenant_id = 1) => ({
  ...{ id, events, tenant_id, url: 'https://example.com/', secret: 'whsec_' },
  ...{ previous_secret: null, consecutive_failures: 0 },
});

describe('fanOut', () => {
  it('makes exactly the payload {id, event, created_at, sequence, data}', () => {
    const { bodies } = fanOut([event({})], []);
    expect(bodies.map(({ body }) => body)).toEqual([
      '{"id":"evt_0197a000-0000-7000-8000-000000000001","event":"appointment.created",' +
        '"created_at":"2026-03-02T10:00:00.000Z","sequence":3,"data":{"id":5,"notes":"Zoë"}}',
    ]);
  });

  it('plans one delivery for each subscribed endpoint of the event’s tenant', () => {
    const { deliveries } = fanOut(
      [event({})],
      [
        endpoint(1, ['appointment.created']),
        endpoint(2, ['appointment.updated']),
        endpoint(3, ['appointment.created', 'appointment.updated']),
        endpoint(4, ['appointment.created'], 2),
      ],
    );
    expect(deliveries.map((delivery) => delivery.endpoint.id)).toEqual([1, 3]);
  });

  it('keeps a body for each name delivered, however many endpoints share it', () => {
    const { bodies, deliveries } = fanOut(
      [event({})],
      [
        endpoint(1, ['appointment.booked']),
        endpoint(2, ['appointment.booked']),
        endpoint(3, ['appointment.booked', 'appointment.created']),
      ],
    );
    expect(bodies.map(({ name }) => name)).toEqual(['appointment.created', 'appointment.booked']);
    expect(deliveries.map(({ endpoint: { id }, name }) => [id, name])).toEqual([
      [1, 'appointment.booked'],
      [2, 'appointment.booked'],
      [3, 'appointment.created'],
    ]);
  });

  it('takes an event that arrives twice in one batch once', () => {
    const { bodies, deliveries } = fanOut([event({}), event({})], [endpoint(1, ['appointment.created'])]);
    expect(bodies).toHaveLength(1);
    expect(deliveries).toHaveLength(1);
  });

  it('skips what is no webhook event', () => {
    expect(fanOut([event({ type: 'tenant.updated' })], [])).toEqual({ bodies: [], deliveries: [] });
  });
});
