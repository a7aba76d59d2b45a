import { APPOINTMENT_STATUSES, holdsSlot } from '@frontdesk/contracts';
import { HOLDS_SLOT } from './busy.repository.ts';

it('scheduled and completed hold a slot, the others leave it free', () => {
  expect(APPOINTMENT_STATUSES.filter(holdsSlot)).toEqual(['scheduled', 'completed']);
});

it('is said in SQL in the words of the index behind the constraint', () => {
  expect(HOLDS_SLOT).toBe(`status in ('scheduled', 'completed')`);
});
