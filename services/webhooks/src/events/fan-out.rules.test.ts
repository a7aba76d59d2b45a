import type { DomainEvent } from '@frontdesk/contracts';
import type { SubscribedEndpoint } from '../endpoints/subscription.rules.ts';
import { fanOut, type PortionLimits } from './fan-out.rules.ts';

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

const endpoint = (id: number, events: string[], tenant_id = 1): SubscribedEndpoint => ({
  id,
  events,
  tenant_id,
  version: 1,
});

const LIMITS: PortionLimits = { deliveries: 100, bytes: 100_000 };

/** All of it, which makes one portion. */
const planned = (events: DomainEvent[], endpoints: SubscribedEndpoint[]) => {
  const portions = [...fanOut(events, endpoints, LIMITS)];
  expect(portions).toHaveLength(1);
  return portions[0] ?? { events: [], deliveries: [] };
};

const eventIdOf = (n: number) => `0197a000-0000-7000-8000-00000000000${n}`;

describe('fanOut', () => {
  it('makes exactly the payload {id, event, created_at, sequence, data}', () => {
    const { events } = planned([event({})], []);
    expect(events.map(({ body }) => body)).toEqual([
      '{"id":"evt_0197a000-0000-7000-8000-000000000001","event":"appointment.created",' +
        '"created_at":"2026-03-02T10:00:00.000Z","sequence":3,"data":{"id":5,"notes":"Zoë"}}',
    ]);
  });

  it('says so of what a test made', () => {
    const type = 'call.ended';
    const { events } = planned([event({ type, data: { id: 5, test: true } as DomainEvent['data'] })], []);
    expect(events.map(({ body }) => JSON.parse(body))).toMatchObject([{ test: true, data: { test: true } }]);
  });

  it('plans one delivery for each subscribed endpoint of the event’s tenant', () => {
    const { deliveries } = planned(
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

  it('keeps an event once, whatever names it is delivered under', () => {
    const { events, deliveries } = planned(
      [event({})],
      [
        endpoint(1, ['appointment.booked']),
        endpoint(2, ['appointment.booked']),
        endpoint(3, ['appointment.booked', 'appointment.created']),
      ],
    );
    expect(events.map(({ name }) => name)).toEqual(['appointment.created']);
    expect(deliveries.map(({ endpoint: { id }, name, eventPosition }) => [id, name, eventPosition])).toEqual([
      [1, 'appointment.booked', 1],
      [2, 'appointment.booked', 1],
      [3, 'appointment.created', 1],
    ]);
  });

  it('takes an event that arrives twice in one batch once', () => {
    const { events, deliveries } = planned([event({}), event({})], [endpoint(1, ['appointment.created'])]);
    expect(events).toHaveLength(1);
    expect(deliveries).toHaveLength(1);
  });

  it('skips what is no webhook event', () => {
    expect([...fanOut([event({ type: 'tenant.updated' })], [], LIMITS)]).toEqual([]);
  });

  it('takes in at once what makes no more deliveries and bytes than that, or a single event', () => {
    const endpoints = [1, 2, 3].map((id) => endpoint(id, ['appointment.created']));
    const others = [endpoint(4, ['appointment.booked'], 2)];
    const events = [1, 2, 3, 4, 5].map((n) =>
      event({ event_id: eventIdOf(n), tenant_id: n < 4 ? 1 : 2, data: { id: n } as never }),
    );
    const cut = (limits: Partial<PortionLimits>) =>
      [...fanOut(events, [...endpoints, ...others], { ...LIMITS, ...limits })].map(
        ({ events: kept, deliveries }) => {
          for (const {
            endpoint: { tenant_id: tenantId },
            eventPosition,
          } of deliveries)
            expect(kept[eventPosition - 1]).toMatchObject({ tenantId });
          return [kept.map(({ eventId }) => Number(eventId.at(-1))), deliveries.length];
        },
      );
    expect(cut({})).toEqual([[[1, 2, 3, 4, 5], 11]]);
    expect(cut({ deliveries: 7 })).toEqual([
      [[1, 2], 6],
      [[3, 4, 5], 5],
    ]);
    expect(cut({ deliveries: 1 })).toEqual([
      ...[1, 2, 3].map((n) => [[n], 3]),
      ...[4, 5].map((n) => [[n], 1]),
    ]);
    const bytes = Buffer.byteLength([...fanOut(events.slice(0, 1), [], LIMITS)][0]?.events[0]?.body ?? '');
    expect(cut({ bytes: 2 * bytes })).toEqual([
      [[1, 2], 6],
      [[3, 4], 4],
      [[5], 1],
    ]);
  });
});
