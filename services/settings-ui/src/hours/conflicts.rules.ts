import type { CalendarConflicts } from '@frontdesk/contracts';
import { dateIn } from '../region/dates.rules.ts';
import type { Region } from '../region/region.rules.ts';

/** Coming appointments that don't fit the calendars as they are now, as a page shows them. */
export interface ShownConflicts extends CalendarConflicts {
  region: Region;
  /** By id; null where crm can't say. */
  customers: ReadonlyMap<number, string> | null;
}

/** The cards of a calendar's page. */
export type ConflictPart = 'hours' | 'exceptions' | 'time-off';

/** Those that one card shows, where their reason can be changed. `exceptions` are the dates with hours of their own. */
export function conflictsOf(
  part: ConflictPart,
  { appointments, region }: ShownConflicts,
  exceptions: readonly { date: string }[],
): CalendarConflicts['appointments'] {
  const dates = new Set(exceptions.map(({ date }) => date));
  return appointments.filter(({ is_time_off, starts_at }) => {
    const own = is_time_off ? 'time-off' : dates.has(dateIn(region.zone, starts_at)) ? 'exceptions' : 'hours';
    return own === part;
  });
}
