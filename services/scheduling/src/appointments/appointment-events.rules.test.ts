import { AUTOMATION_TRIGGERS, eventOfChange } from './appointment-events.rules.ts';

describe('statuses', () => {
  it.each(['scheduled', 'completed', 'no_show'] as const)(
    'becoming cancelled from %s fires the trigger appointment_cancelled',
    (before) => {
      expect(eventOfChange(before, 'cancelled')).toBe(AUTOMATION_TRIGGERS.appointment_cancelled);
    },
  );

  it('staying cancelled, and every other change, is an update', () => {
    expect(eventOfChange('cancelled', 'cancelled')).toBe('appointment.updated');
    expect(eventOfChange('cancelled', 'scheduled')).toBe('appointment.updated');
    expect(eventOfChange('scheduled', 'completed')).toBe('appointment.updated');
  });
});
