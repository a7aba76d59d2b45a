import { APPOINTMENT_STATUSES } from '@frontdesk/contracts';
import { AUTOMATION_TRIGGERS, eventOfChange, holdsSlot } from './status.ts';

describe('statuses', () => {
  it('scheduled and completed hold a slot, the others leave it free', () => {
    expect(APPOINTMENT_STATUSES.filter(holdsSlot)).toEqual(['scheduled', 'completed']);
  });

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
