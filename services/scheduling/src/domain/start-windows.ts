import { MINUTE_MS } from '@frontdesk/local-time';
import type { Interval } from './interval.ts';
import { occupiedBy, type Visit } from './visit.ts';

/** A stretch of instants, both ends included, at any of which a visit may start. */
export interface StartWindow {
  first: number;
  last: number;
}

/**
 * Where a visit may start: it lies within one stretch of work, and what it occupies touches nothing busy. Buffers block
 * other appointments, but may reach beyond the hours of work. Both lists are sorted by start; one sweep over each.
 */
export function startWindows(
  visit: Visit,
  working: readonly Interval[],
  busy: readonly Interval[],
): StartWindow[] {
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
