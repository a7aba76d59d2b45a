import { DAY_MS, plusDays } from '@frontdesk/local-time';

/** Local dates of a zone, both included. */
export interface DateRange {
  timezone: string;
  from: string;
  to: string;
}

export const daysOf = ({ from, to }: DateRange): number => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

/**
 * The dates whose hours decide on visits that start within the range. A visit lasts a day at most; where clocks go forward meanwhile
 * it ends on the second day after.
 */
export function reachedDates({ from, to }: DateRange): { from: string; to: string } {
  return { from, to: plusDays(to, 2) };
}
