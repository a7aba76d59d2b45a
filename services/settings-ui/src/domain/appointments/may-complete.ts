import type { Appointment } from '@frontdesk/contracts';
import { dateIn } from '../shared/dates.ts';
import type { Region } from '../shared/region.ts';

/** Whether pages offer to complete an appointment or to record a no-show: from its day on. Before, nobody can say whether somebody came. */
export const mayComplete = (
  { starts_at }: Pick<Appointment, 'starts_at'>,
  { zone }: Pick<Region, 'zone'>,
  now: number,
): boolean => dateIn(zone, starts_at) <= dateIn(zone, now);
