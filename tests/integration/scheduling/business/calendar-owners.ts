import { asOperator } from '../as-operator.ts';
import { openPractice, openSalon } from '../salon.ts';
import type { SchedulingWorld } from '../scheduling-world.ts';

export const MORNING = [{ start: '09:00', end: '12:00' }];
export const HOLIDAY = { start: '2031-06-02T00:00', end: '2031-06-09T00:00', note: 'Holiday' };

/** Whose calendar a test is about. The routes are the same below other paths. */
export const OWNERS = ['the business', 'a staff member'] as const;

/** A business and the calendar of this owner; `path` is where it is. */
export async function openCalendar(world: SchedulingWorld, owner: (typeof OWNERS)[number]) {
  const business = owner === 'the business' ? await openPractice(world) : await openSalon(world);
  const [staffId] = business.staffIds;
  const path = staffId === undefined ? '/calendar' : `/staff/${staffId}/calendar`;
  const slotTimes = async (): Promise<string[]> => {
    const { body } = await business.slots({ staff_id: staffId });
    return body.data.map(({ time }: { time: string }) => time);
  };
  return { ...business, path, send: asOperator(world, business.tenantId), slotTimes };
}
