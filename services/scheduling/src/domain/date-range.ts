import { plusDays } from './local-time.ts';
import { DAY_MS } from './time-units.ts';

/** Local dates of a zone, both included. */
export interface DateRange {
  timezone: string;
  from: string;
  to: string;
}

export const daysOf = ({ from, to }: DateRange): number => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

/** The dates whose hours decide on visits that start within the range: one may last for a day, and end at the next one's midnight. */
export function reachedDates({ from, to }: DateRange): { from: string; to: string } {
  return { from, to: plusDays(to, 2) };
}
