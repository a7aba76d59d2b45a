import { localDay, MINUTE_MS } from '@frontdesk/local-time';
import { type Calendar, workingTime } from './calendar.ts';
import { type Interval, without } from './interval.ts';

const minutesOf = (intervals: readonly Interval[]) =>
  Math.floor(intervals.reduce((sum, { start, end }) => sum + end - start, 0) / MINUTE_MS);

/** How long all of them work on a date, and how much of that is neither taken nor over. */
export function dayLoad(
  calendars: ReadonlyMap<number, Calendar>,
  busy: ReadonlyMap<number, readonly Interval[]>,
  { date, timezone, now }: { date: string; timezone: string; now: number },
): { working_minutes: number; free_minutes: number } {
  const worked = [...calendars].map(([id, calendar]) => ({
    working: workingTime(calendar, [localDay(date, timezone)]),
    taken: [{ start: Number.NEGATIVE_INFINITY, end: now }, ...(busy.get(id) ?? [])],
  }));
  return {
    working_minutes: minutesOf(worked.flatMap(({ working }) => working)),
    free_minutes: minutesOf(worked.flatMap(({ working, taken }) => without(working, taken))),
  };
}
