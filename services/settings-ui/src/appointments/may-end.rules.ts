import type { Appointment } from '@frontdesk/contracts';
import { dateIn } from '../region/dates.rules.ts';
import type { Region } from '../region/region.rules.ts';

/** Whether pages offer to complete an appointment: from its day on, as somebody may be served before their time. */
export const mayComplete = (
  { starts_at }: Pick<Appointment, 'starts_at'>,
  { zone }: Pick<Region, 'zone'>,
  now: number,
): boolean => dateIn(zone, starts_at) <= dateIn(zone, now);

/** Whether the desk marks an arrival: on its day, neither before nor after it. */
export const mayArrive = (
  { starts_at }: Pick<Appointment, 'starts_at'>,
  { zone }: Pick<Region, 'zone'>,
  now: number,
): boolean => dateIn(zone, starts_at) === dateIn(zone, now);

/** Whether the desk records a no-show: from its start on. Before, nobody can say whether somebody comes. */
export const mayBeNoShow = ({ starts_at }: Pick<Appointment, 'starts_at'>, now: number): boolean =>
  Date.parse(starts_at) <= now;
