import type { LocalDay } from './local-day.ts';

/** Half-open, in epoch ms. */
export interface Interval {
  start: number;
  end: number;
}

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
  timeOff: readonly Interval[];
}

const byStart = (a: Interval, b: Interval) => a.start - b.start;

/** Joins intervals that touch or overlap: work until midnight and from midnight on is one stretch. */
function joined(intervals: Interval[]): Interval[] {
  const out: Interval[] = [];
  for (const { start, end } of intervals.sort(byStart)) {
    const last = out.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else out.push({ start, end });
  }
  return out;
}

function without(intervals: Interval[], removed: readonly Interval[]): Interval[] {
  let rest = intervals;
  for (const gap of removed) {
    rest = rest
      .flatMap(({ start, end }) => [
        { start, end: Math.min(end, gap.start) },
        { start: Math.max(start, gap.end), end },
      ])
      .filter(({ start, end }) => start < end);
  }
  return rest;
}

/** The stretches of work over consecutive days, sorted and apart from one another. */
export function workingTime(calendar: Calendar, days: readonly LocalDay[]): Interval[] {
  const worked = days.flatMap((day) => {
    const spans = calendar.exceptions.get(day.date) ?? calendar.weekly.get(day.weekday) ?? [];
    return spans.map((span) => ({
      start: day.boundaryOf(span.startMinute),
      end: day.boundaryOf(span.endMinute),
    }));
  });
  return without(joined(worked.filter(({ start, end }) => start < end)), calendar.timeOff);
}
