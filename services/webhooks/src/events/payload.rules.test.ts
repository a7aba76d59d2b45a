import type { DomainEvent } from '@frontdesk/contracts';
import { bodyOf, bodyUnder } from './payload.rules.ts';

const event = {
  event_id: '0197a000-0000-7000-8000-000000000001',
  type: 'appointment.created',
  aggregate_version: 3,
  occurred_at: '2026-03-02T10:00:00.000Z',
  data: { notes: '{"id":"evt_1","event":"call.ended"} $1 $& \\ \u2028 Zo\u00eb', price: 1e21 },
} as unknown as DomainEvent;

describe('bodyUnder', () => {
  const stored = bodyOf(event, 'appointment.created');

  it('changes the name and not a byte more', () => {
    const body = bodyUnder('appointment.booked', stored);
    expect(JSON.parse(body)).toEqual({ ...JSON.parse(stored), event: 'appointment.booked' });
    expect(body.replace('appointment.booked', 'appointment.created')).toBe(stored);
  });

  it('leaves a body as it is that has this name, or is none of an event', () => {
    for (const body of [stored, ` ${stored}`, '{"id":"evt_1"}', '', '[]'])
      expect(bodyUnder('appointment.created', body)).toBe(body);
  });
});
