import { type Interval, joined, without } from './interval.ts';
import type { LocalDay } from './local-day.ts';
import { DAY_MINUTES } from './time-units.ts';

/** Wall-clock minutes of one day, half-open: 09:00–17:30 is 540 to 1050; 1440 is the midnight that closes the day. */
export interface Span {
  startMinute: number;
  endMinute: number;
}

/** When somebody works. The gap between two spans of a day is a break. */
export interface Calendar {
  /** Weekday (1 is Monday) → spans; a weekday without any is a day off. */
  weekly: ReadonlyMap<number, readonly Span[]>;
  /** Date (Y-m-d) → spans that stand in for the weekday's; none: closed that day. */
  exceptions: ReadonlyMap<string, readonly Span[]>;
  /** Date → the only spans within which the weekday's count: a day on which the whole business keeps shorter hours. */
  limits: ReadonlyMap<string, readonly Span[]>;
  /** Sorted, and apart from one another. */
  timeOff: readonly Interval[];
}

export const NO_HOURS: Calendar = {
  weekly: new Map(),
  exceptions: new Map(),
  limits: new Map(),
  timeOff: [],
};

function within(spans: readonly Span[], limits: readonly Span[]): Span[] {
  return spans
    .flatMap(({ startMinute, endMinute }) =>
      limits.map((limit) => ({
        startMinute: Math.max(startMinute, limit.startMinute),
        endMinute: Math.min(endMinute, limit.endMinute),
      })),
    )
    .filter(({ startMinute, endMinute }) => startMinute < endMinute);
}

function spansOn(calendar: Calendar, day: LocalDay): readonly Span[] {
  const own = calendar.exceptions.get(day.date);
  if (own !== undefined) return own;
  const weekly = calendar.weekly.get(day.weekday) ?? [];
  const limits = calendar.limits.get(day.date);
  return limits === undefined ? weekly : within(weekly, limits);
}

/** The stretches of work over consecutive days, time off aside, sorted and apart from one another. */
export function hoursOn(calendar: Calendar, days: readonly LocalDay[]): Interval[] {
  const worked = days.flatMap((day) =>
    spansOn(calendar, day).map((span) => ({
      start: day.boundaryOf(span.startMinute),
      end: day.boundaryOf(span.endMinute),
    })),
  );
  return joined(worked.filter(({ start, end }) => start < end));
}

/** The same without the time off. */
export const workingTime = (calendar: Calendar, days: readonly LocalDay[]): Interval[] =>
  without(hoursOn(calendar, days), calendar.timeOff);

/** No stretch of work takes more minutes than this, as long as no clock changes meanwhile. */
export function longestStretchMinutes({ weekly, exceptions }: Calendar): number {
  let [longest, untilMidnight, fromMidnight] = [0, 0, 0];
  for (const spans of [...weekly.values(), ...exceptions.values()]) {
    for (const { start, end } of joined(
      spans.map(({ startMinute, endMinute }) => ({ start: startMinute, end: endMinute })),
    )) {
      longest = Math.max(longest, end - start);
      if (start === 0) fromMidnight = Math.max(fromMidnight, end);
      if (end === DAY_MINUTES) untilMidnight = Math.max(untilMidnight, end - start);
    }
  }
  // One day on which all of it is worked may be followed by any number of others.
  return longest === DAY_MINUTES ? Number.POSITIVE_INFINITY : Math.max(longest, untilMidnight + fromMidnight);
}
