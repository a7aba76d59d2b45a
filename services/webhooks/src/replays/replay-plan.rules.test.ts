import {
  type KnownDelivery,
  planReplay,
  type SeenEvent,
  subscribedEvents,
  wantedOf,
} from './replay-plan.rules.ts';

const at = new Date('2026-03-02T10:00:00Z');
const seen = (id: number, name = 'appointment.created', received_at = at): SeenEvent => ({
  id,
  event_id: `event-${id}`,
  name,
  received_at,
});
const known = (id: number, status: KnownDelivery['status']): KnownDelivery => ({
  event_id: `event-${id}`,
  id: 100 + id,
  status,
});

describe('subscribedEvents', () => {
  it('are events’ own names, once each, whichever name the endpoint gave', () => {
    expect(subscribedEvents(['missed_call', 'appointment.booked', 'appointment.created'])).toEqual([
      'appointment.created',
      'call.missed',
    ]);
  });
});

describe('wantedOf', () => {
  it('passes over aliases, other events and what lies outside of the window', () => {
    const to = new Date(at.getTime() + 1);
    const events = [
      ...[seen(1), seen(2, 'appointment.booked'), seen(3, 'customer.created'), seen(4, 'endpoint.test')],
      ...[seen(5, 'appointment.created', to), seen(6, 'appointment.created', new Date(at.getTime() - 1))],
    ];
    const wanted = wantedOf(events, { from: at, to, subscribed: ['appointment.booked'] });
    expect(wanted.map(({ id }) => id)).toEqual([1]);
  });
});

describe('planReplay', () => {
  const events = [1, 2, 3, 4, 5].map((id) => seen(id));
  const deliveries = [known(2, 'failed'), known(3, 'delivered'), known(4, 'pending'), known(5, 'cancelled')];

  it('makes what is missing, repeats what came to nothing, and leaves the rest', () => {
    const plan = planReplay(events, deliveries, { maxQueued: 10, again: 'undelivered' });
    expect(plan).toEqual({ missing: [events[0]], again: [102, 105], skipped: 2, upTo: null });
  });

  it('repeats what was delivered only on request', () => {
    const plan = planReplay(events, deliveries, { maxQueued: 10, again: 'all' });
    expect(plan).toMatchObject({ again: [102, 103, 105], skipped: 1 });
  });

  it('makes only what is missing where nothing is to be repeated, and counts nothing else', () => {
    const plan = planReplay(events, deliveries, { maxQueued: 1, again: 'none' });
    expect(plan).toEqual({ missing: [events[0]], again: [], skipped: 0, upTo: null });
  });

  it('stops before what goes beyond the maxQueued, and covers what is to be left alone until there', () => {
    const plan = planReplay(events, deliveries, { maxQueued: 2, again: 'undelivered' });
    expect(plan).toEqual({ missing: [events[0]], again: [102], skipped: 2, upTo: 4 });
  });
});
