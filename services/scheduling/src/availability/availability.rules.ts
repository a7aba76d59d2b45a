import { DAY_MINUTES, type LocalDay, localDate, localDay, MINUTE_MS } from '@frontdesk/local-time';
import {
  type Calendar,
  hoursOn,
  longestStretchMinutes,
  workingTime,
} from '../working-hours/calendar.rules.ts';
import { type Interval, walkAlong, without } from '../working-hours/interval.rules.ts';
import { occupiedBy, type Visit } from './buffers.rules.ts';

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
  /** Left out: any start. */
  only?: StartFilter | undefined;
}

/** Which starts are looked for, on the wall clocks of the zone. */
export interface StartFilter {
  /** 1 is Monday; null: any. */
  weekdays: ReadonlySet<number> | null;
  /** Minutes of the day, the second one excluded. */
  fromMinute: number;
  toMinute: number;
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

/**
 * The day and the days after it until this instant. Days are compared by the midnights that close them, not by dates: where
 * clocks go back across midnight, a visit may end on an earlier date.
 */
function daysReached(first: LocalDay, latestEnd: number, timezone: string): LocalDay[] {
  const days = [first];
  for (let day = first; day.boundaryOf(DAY_MINUTES) < latestEnd; days.push(day))
    day = localDay(day.nextDate, timezone);
  return days;
}

/** The windows in which a visit to this resource may start. Ask for days in order: time off and busy intervals are walked once. */
function windowsByDay({ visit, calendar, busy }: Resource): (reached: readonly LocalDay[]) => StartWindow[] {
  const { start: before, end: after } = occupiedBy(visit, 0);
  const isTooLong = visit.durationMinutes > longestStretchMinutes(calendar);
  const timeOffWithin = walkAlong(calendar.timeOff);
  const busyWithin = walkAlong(busy);
  return (reached) => {
    if (isTooLong && reached.every(({ isRegular }) => isRegular)) return [];
    const hours = hoursOn(calendar, reached);
    const [first, last] = [hours[0], hours.at(-1)];
    if (first === undefined || last === undefined) return [];
    const working = without(hours, timeOffWithin({ start: first.start, end: last.end }));
    return startWindows(visit, working, busyWithin({ start: first.start + before, end: last.end + after }));
  };
}

/** The first step of the day's grid that the clocks reach at this instant or later. */
function firstStepFrom(day: LocalDay, stepMinutes: number, instant: number): number {
  let [low, high] = [0, Math.ceil(DAY_MINUTES / stepMinutes)];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (day.boundaryOf(middle * stepMinutes) < instant) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The steps of a day's grid that are looked for: from the first one to before the second. */
export function stepsOfDay(stepMinutes: number, only: StartFilter | undefined): [first: number, end: number] {
  const { fromMinute, toMinute } = only ?? { fromMinute: 0, toMinute: DAY_MINUTES };
  return [Math.ceil(fromMinute / stepMinutes), Math.ceil(toMinute / stepMinutes)];
}

/** The steps of the day's grid that lie in these windows and are offered and looked for, in order of time. */
function* stepsWithin(
  windows: readonly StartWindow[],
  day: LocalDay,
  { stepMinutes, earliest, latest, only }: AvailabilityQuestion,
): Generator<number> {
  const [first, steps] = stepsOfDay(stepMinutes, only);
  let step = first;
  for (const window of windows) {
    step = Math.max(step, firstStepFrom(day, stepMinutes, Math.max(window.first, earliest)));
    for (; step < steps; step += 1) {
      const startsAt = day.instantOf(step * stepMinutes);
      if (startsAt === null) continue;
      if (startsAt > window.last || startsAt > latest) break;
      yield step;
    }
    if (step >= steps) return;
  }
}

/**
 * Every start that may be offered, in order of time: on the grid from local midnight, never at a wall time that a clock change
 * skips nor on the second pass of a repeated hour, within the hours of work and clear of everything busy.
 *
 * The generator is lazy, so that taking only the first start is cheap. It yields null after each day of each resource: a point
 * at which the caller can stop, or let other work have the event loop.
 */
export function* freeStarts(question: AvailabilityQuestion): Generator<FreeStart | null> {
  const { timezone, from, to, stepMinutes, latest, resources, only } = question;
  const longestMs = longestMinutes(resources) * MINUTE_MS;
  const open = resources.map((resource) => ({ id: resource.id, windowsOf: windowsByDay(resource) }));
  for (
    let day = localDay(from, timezone);
    day.date <= to && open.length > 0;
    day = localDay(day.nextDate, timezone)
  ) {
    if (day.boundaryOf(0) > latest) return;
    if (only?.weekdays?.has(day.weekday) === false) continue;
    const reached = daysReached(day, day.boundaryOf(DAY_MINUTES) + longestMs, timezone);
    const free: number[][] = [];
    for (const { id, windowsOf } of open) {
      for (const step of stepsWithin(windowsOf(reached), day, question)) {
        free[step] ??= [];
        free[step].push(id);
      }
      yield null;
    }
    for (const [step, resourceIds] of free.entries()) {
      if (resourceIds === undefined) continue;
      const minute = step * stepMinutes;
      yield { date: day.date, minute, startsAt: day.instantOf(minute) as number, resourceIds };
    }
  }
}

/** Those who would be at work for the whole visit, whether or not they are free. Grid, notice and horizon aside. */
export function onShift(resources: readonly Resource[], startsAt: number, timezone: string): number[] {
  if (resources.length === 0) return [];
  const latestEnd = startsAt + longestMinutes(resources) * MINUTE_MS;
  const days = daysReached(localDay(localDate(startsAt, timezone), timezone), latestEnd, timezone);
  return resources
    .filter(({ visit, calendar }) =>
      workingTime(calendar, days).some(
        ({ start, end }) => start <= startsAt && startsAt + visit.durationMinutes * MINUTE_MS <= end,
      ),
    )
    .map(({ id }) => id);
}

/** A stretch of instants, both ends included, at any of which a visit may start. */
interface StartWindow {
  first: number;
  last: number;
}

/**
 * Where a visit may start: it lies within one stretch of work, and what it occupies touches nothing busy. Buffers block
 * other appointments, but may reach beyond the hours of work. Both lists are sorted by start; one sweep over each.
 */
function startWindows(visit: Visit, working: readonly Interval[], busy: readonly Interval[]): StartWindow[] {
  const { start: before, end: after } = occupiedBy(visit, 0);
  const windows: StartWindow[] = [];
  let passed = 0;
  for (const stretch of working) {
    let first = stretch.start;
    const last = stretch.end - visit.durationMinutes * MINUTE_MS;
    // A start strictly between these two would clash with the busy interval.
    const clashFrom = (index: number) => (busy[index] as Interval).start - after;
    const clashUntil = (index: number) => (busy[index] as Interval).end - before;
    while (passed < busy.length && clashUntil(passed) <= first) passed += 1;
    for (let index = passed; index < busy.length && clashFrom(index) < last; index += 1) {
      if (first <= clashFrom(index)) windows.push({ first, last: clashFrom(index) });
      first = Math.max(first, clashUntil(index));
    }
    if (first <= last) windows.push({ first, last });
  }
  return windows;
}
