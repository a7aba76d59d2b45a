import { LAST_BOOKABLE } from '@frontdesk/contracts';
import { DAY_MINUTES, localDay, localTime, MINUTE_MS } from '@frontdesk/local-time';
import { type Calendar, workingTime } from './calendar.rules.ts';
import { type Interval, without } from './interval.rules.ts';

/** The instants of a date on the zone's clocks. */
export function dayOf(date: string, timezone: string): Interval {
  const { boundaryOf } = localDay(date, timezone);
  return { start: boundaryOf(0), end: boundaryOf(DAY_MINUTES) };
}

/** The dates from Monday to Sunday around a date, as far as they can be booked. */
export function weekOf(date: string): [string, ...string[]] {
  const day = Temporal.PlainDate.from(date);
  const monday = day.subtract({ days: day.dayOfWeek - 1 });
  const dates = [1, 2, 3, 4, 5, 6].map((days) => monday.add({ days }).toString());
  return [monday.toString(), ...dates.filter((later) => later <= LAST_BOOKABLE)];
}

/** Those parts of stretches that lie within the day, as RFC 3339 on the zone's clocks. */
export function stretchesWithin<Stretch extends Interval>(
  stretches: readonly Stretch[],
  day: Interval,
  timezone: string,
): (Omit<Stretch, 'start' | 'end'> & { starts_at: string; ends_at: string })[] {
  return stretches
    .map(({ start, end, ...rest }) => ({
      start: Math.max(start, day.start),
      end: Math.min(end, day.end),
      rest,
    }))
    .filter(({ start, end }) => start < end)
    .map(({ start, end, rest }) => ({
      ...rest,
      starts_at: localTime(start, timezone).iso,
      ends_at: localTime(end, timezone).iso,
    }));
}

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
