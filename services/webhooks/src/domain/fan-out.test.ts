import type { DomainEvent } from '@frontdesk/contracts';
import { fanOut, type PortionLimits, type SubscribedEndpoint } from './fan-out.ts';

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
  ...{ id, events, tenant_id, version: 1, consecutive_failures: 0 },
});

const LIMITS: PortionLimits = { deliveries: 100, bytes: 100_000 };

/** All of it, which makes one portion. */
const planned = (events: DomainEvent[], endpoints: SubscribedEndpoint[]) => {
  const portions = [...fanOut(events, endpoints, LIMITS)];
  expect(portions).toHaveLength(1);
  return portions[0] ?? { bodies: [], deliveries: [] };
};

const eventIdOf = (n: number) => `0197a000-0000-7000-8000-00000000000${n}`;

describe('fanOut', () => {
  it('makes exactly the payload {id, event, created_at, sequence, data}', () => {
    const { bodies } = planned([event({})], []);
    expect(bodies.map(({ body }) => body)).toEqual([
      '{"id":"evt_0197a000-0000-7000-8000-000000000001","event":"appointment.created",' +
        '"created_at":"2026-03-02T10:00:00.000Z","sequence":3,"data":{"id":5,"notes":"Zoë"}}',
    ]);
  });

  it('says so of what a test made', () => {
    const type = 'call.ended';
    const { bodies } = planned([event({ type, data: { id: 5, test: true } as DomainEvent['data'] })], []);
    expect(bodies.map(({ body }) => JSON.parse(body))).toMatchObject([{ test: true, data: { test: true } }]);
  });

  it('counts a body once for all that it goes to', () => {
    const names = [['appointment.created'], ['appointment.created'], ['appointment.booked']];
    const { bodies, deliveries } = planned(
      [event({})],
      names.map((own, nth) => endpoint(nth + 1, own)),
    );
    const [canonical = 0, alias = 0] = bodies.map(({ body }) => Buffer.byteLength(body));
    expect([...new Set(deliveries.map(({ held }) => held))]).toEqual([
      { bytes: canonical, holders: 0 },
      { bytes: alias, holders: 0 },
    ]);
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

  it('keeps a body for each name delivered, however many endpoints share it', () => {
    const { bodies, deliveries } = planned(
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
    const { bodies, deliveries } = planned([event({}), event({})], [endpoint(1, ['appointment.created'])]);
    expect(bodies).toHaveLength(1);
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
        ({ bodies, deliveries }) => {
          for (const { eventId, name, bodyPosition } of deliveries)
            expect(bodies[bodyPosition - 1]).toMatchObject({ eventId, name });
          return [bodies.map(({ eventId }) => Number(eventId.at(-1))), deliveries.length];
        },
      );
    expect(cut({})).toEqual([[[1, 2, 3, 4, 4, 5, 5], 11]]);
    expect(cut({ deliveries: 7 })).toEqual([
      [[1, 2], 6],
      [[3, 4, 4, 5, 5], 5],
    ]);
    expect(cut({ deliveries: 1 })).toEqual([
      ...[1, 2, 3].map((n) => [[n], 3]),
      ...[4, 5].map((n) => [[n, n], 1]),
    ]);
    const bytes = Buffer.byteLength([...fanOut(events.slice(0, 1), [], LIMITS)][0]?.bodies[0]?.body ?? '');
    expect(cut({ bytes: 2 * bytes })).toEqual([
      [[1, 2], 6],
      [[3], 3],
      [[4, 4], 1],
      [[5, 5], 1],
    ]);
  });
});
