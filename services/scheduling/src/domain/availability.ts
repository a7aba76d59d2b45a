import { type Calendar, workingTime } from './calendar.ts';
import type { Interval } from './interval.ts';
import { type LocalDay, localDay } from './local-day.ts';
import { localDate, plusDays } from './local-time.ts';
import { type StartWindow, startWindows, type Visit } from './start-windows.ts';
import { DAY_MINUTES, MINUTE_MS } from './time-units.ts';

/** A staff member, or 0 for a business without staff: what can hold one appointment at a time. */
export interface Resource {
  id: number;
  visit: Visit;
  calendar: Calendar;
  /** What other appointments occupy, buffers included, sorted by start. */
  busy: readonly Interval[];
}

export interface AvailabilityQuestion {
  timezone: string;
  /** Local dates, both included. */
  from: string;
  to: string;
  stepMinutes: number;
  /** Bounds of the offered instants, both included: now plus the minimum notice, now plus the horizon. */
  earliest: number;
  latest: number;
  resources: readonly Resource[];
}

/** A start on the grid, with everyone who is free then, in the order of the question. */
export interface FreeStart {
  date: string;
  /** Wall-clock minute of the date. */
  minute: number;
  startsAt: number;
  resourceIds: number[];
}

const longestMinutes = (resources: readonly Resource[]) =>
  Math.max(...resources.map(({ visit }) => visit.durationMinutes));

/** The day and those after it into which a visit that starts on it may last. */
function daysReached(first: string, resources: readonly Resource[], timezone: string): LocalDay[] {
  const count = 2 + Math.ceil(longestMinutes(resources) / DAY_MINUTES);
  return Array.from({ length: count }, (_, days) => localDay(plusDays(first, days), timezone));
}

function freeStartsOfDay(
  { stepMinutes, earliest, latest }: AvailabilityQuestion,
  day: LocalDay,
  open: readonly { id: number; windows: readonly StartWindow[] }[],
): FreeStart[] {
  const starts: FreeStart[] = [];
  if (open.length === 0) return starts;
  const current = open.map(() => 0);
  for (let minute = 0; minute < DAY_MINUTES; minute += stepMinutes) {
    const startsAt = day.instantOf(minute);
    if (startsAt === null || startsAt < earliest) continue;
    if (startsAt > latest) break;
    const resourceIds: number[] = [];
    for (const [index, { id, windows }] of open.entries()) {
      let at = current[index] as number;
      while (at < windows.length && (windows[at] as StartWindow).last < startsAt) at += 1;
      current[index] = at;
      const window = windows[at];
      if (window !== undefined && window.first <= startsAt) resourceIds.push(id);
    }
    if (resourceIds.length > 0) starts.push({ date: day.date, minute, startsAt, resourceIds });
  }
  return starts;
}

/**
 * Every start that may be offered, day by day in order of time: on the grid from local midnight, never at a wall time that
 * a clock change skips nor on the second pass of a repeated hour, within the hours of work and clear of everything busy.
 * Days are worked out as they are asked for, so that taking only the first is cheap.
 */
export function* freeDays(question: AvailabilityQuestion): Generator<FreeStart[]> {
  const { timezone, from, to, resources } = question;
  if (resources.length === 0) return;
  for (let date = from; date <= to; date = plusDays(date, 1)) {
    const reached = daysReached(date, resources, timezone);
    const day = reached[0] as LocalDay;
    const dayEnd = day.boundaryOf(DAY_MINUTES);
    const open = resources
      .map(({ id, visit, calendar, busy }) => ({
        id,
        windows: startWindows(visit, workingTime(calendar, reached), busy),
      }))
      .filter(({ windows }) => windows.some(({ first }) => first < dayEnd));
    yield freeStartsOfDay(question, day, open);
  }
}

/** The same, one start after the other. */
export function* freeStarts(question: AvailabilityQuestion): Generator<FreeStart> {
  for (const starts of freeDays(question)) yield* starts;
}

/** Those who would be at work for the whole visit, whether or not they are free. Grid, notice and horizon aside. */
export function onShift(resources: readonly Resource[], startsAt: number, timezone: string): number[] {
  if (resources.length === 0) return [];
  const latestEnd = startsAt + longestMinutes(resources) * MINUTE_MS;
  // By the midnights that close them, not by dates: where clocks go back across midnight, a visit may end on an earlier one.
  let day = localDay(localDate(startsAt, timezone), timezone);
  const days = [day];
  while (day.boundaryOf(DAY_MINUTES) < latestEnd) {
    day = localDay(plusDays(day.date, 1), timezone);
    days.push(day);
  }
  return resources
    .filter(({ visit, calendar }) =>
      workingTime(calendar, days).some(
        ({ start, end }) => start <= startsAt && startsAt + visit.durationMinutes * MINUTE_MS <= end,
      ),
    )
    .map(({ id }) => id);
}
