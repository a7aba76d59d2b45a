import type { LocalDay } from '@frontdesk/local-time';
import { DAY_MINUTES } from '@frontdesk/local-time';
import { type Interval, joined, without } from './interval.rules.ts';

/** Whose hours and appointments are those of the business itself, where it has no staff: among resources, which are staff by their ids. */
export const BUSINESS = 0;

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
  /** Sorted by start, without overlaps. */
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

/**
 * The intervals of work that begin on the first of consecutive days, time off not taken out; sorted by start, without overlaps. The
 * days after it count only as long as work goes on across midnight, or across a date that a change of the clock left out.
 */
export function hoursOn(calendar: Calendar, days: readonly LocalDay[]): Interval[] {
  const worked: Interval[] = [];
  for (const day of days) {
    const midnight = day.boundaryOf(DAY_MINUTES);
    let reachesMidnight = day.boundaryOf(0) >= midnight;
    for (const { startMinute, endMinute } of spansOn(calendar, day)) {
      const [start, end] = [day.boundaryOf(startMinute), day.boundaryOf(endMinute)];
      if (start < end) worked.push({ start, end });
      reachesMidnight ||= end >= midnight;
    }
    if (!reachesMidnight) break;
  }
  return joined(worked);
}

/** The same, with time off taken out. */
export const workingTime = (calendar: Calendar, days: readonly LocalDay[]): Interval[] =>
  without(hoursOn(calendar, days), calendar.timeOff);

/** Upper bound of an interval of work, in minutes, as long as no clock changes within it. */
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
  // A day of work around the clock may be followed by any number of such days.
  return longest === DAY_MINUTES ? Number.POSITIVE_INFINITY : Math.max(longest, untilMidnight + fromMidnight);
}
