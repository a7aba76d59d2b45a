import { APPOINTMENT_STATUSES, takesSlot } from '@frontdesk/contracts';
import { KEPT_APART } from './busy.repository.ts';

it('scheduled and completed take a slot, the others leave it free', () => {
  expect(APPOINTMENT_STATUSES.filter(takesSlot)).toEqual(['scheduled', 'completed']);
});

it('is said in SQL in the words of the index behind the constraint', () => {
  expect(KEPT_APART).toBe(`status in ('scheduled', 'completed', 'held')`);
});
