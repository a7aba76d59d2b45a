import { type DomainEvent, EXAMPLES } from '@frontdesk/contracts';
import { bodyAs, bodyOf } from './payload.rules.ts';

const event = {
  event_id: '0197a000-0000-7000-8000-000000000001',
  type: 'appointment.created',
  aggregate_version: 3,
  occurred_at: '2026-03-02T10:00:00.000Z',
  data: { notes: '{"id":"evt_1","event":"call.ended"} $1 $& \\ \u2028 Zo\u00eb', price: 1e21 },
} as unknown as DomainEvent;

const as = (name: string, body: string, shows_transcripts = true) =>
  bodyAs({ name, shows_transcripts }, body);

describe('the body that is sent', () => {
  const stored = bodyOf(event, 'appointment.created');

  it('has the name that was subscribed to, and not another byte', () => {
    const body = as('appointment.booked', stored);
    expect(JSON.parse(body)).toEqual({ ...JSON.parse(stored), event: 'appointment.booked' });
    expect(body.replace('appointment.booked', 'appointment.created')).toBe(stored);
  });

  it('is the stored one that has this name, or is none of an event', () => {
    for (const body of [stored, ` ${stored}`, '{"id":"evt_1"}', '', '[]'])
      expect(as('appointment.created', body)).toBe(body);
  });

  describe('to an endpoint that may not know what was said', () => {
    const call = { ...event, type: 'call.ended', data: EXAMPLES.call } as unknown as DomainEvent;
    const ofCall = bodyOf(call, 'call.ended');

    it.each(['call.ended', 'call.completed'])(
      'as %s has everything but that, the same bytes each time',
      (name) => {
        const body = as(name, ofCall, false);
        const silent = { ...EXAMPLES.call, summary: null, transcript: [], recording_url: null };
        expect(JSON.parse(body)).toEqual({ ...JSON.parse(ofCall), event: name, data: silent });
        expect(as(name, ofCall, false)).toBe(body);
        expect(as(name, ofCall, true)).toContain(EXAMPLES.call.summary);
      },
    );

    it('is of other records what anybody gets', () => {
      expect(as('appointment.created', stored, false)).toBe(stored);
    });
  });
});
