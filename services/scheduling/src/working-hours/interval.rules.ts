/** Half-open, in epoch ms. */
export interface Interval {
  start: number;
  end: number;
}

/** Joins intervals that touch or overlap: work until midnight and from midnight on is one stretch. Sorted by start. */
export function joined(intervals: Interval[]): Interval[] {
  const out: Interval[] = [];
  for (const interval of intervals.sort((a, b) => a.start - b.start)) {
    const last = out.at(-1);
    if (last !== undefined && interval.start <= last.end)
      out[out.length - 1] = { start: last.start, end: Math.max(last.end, interval.end) };
    else out.push(interval);
  }
  return out;
}

/** The intervals with others taken out of them. Both lists are sorted by start; those in the first one don't overlap. */
export function without(intervals: Interval[], removed: readonly Interval[]): Interval[] {
  if (removed.length === 0) return intervals;
  const rest: Interval[] = [];
  let passed = 0;
  for (const { start, end } of intervals) {
    let from = start;
    while (passed < removed.length && (removed[passed] as Interval).end <= start) passed += 1;
    for (let index = passed; index < removed.length; index += 1) {
      const gap = removed[index] as Interval;
      if (gap.start >= end) break;
      if (gap.start >= gap.end) continue;
      if (from < gap.start) rest.push({ start: from, end: gap.start });
      from = Math.max(from, gap.end);
    }
    if (from < end) rest.push({ start: from, end });
  }
  return rest;
}

/**
 * Finds the intervals that touch a stretch of time. They are sorted by start and don't overlap. Stretches have to come in the
 * order of their starts, so that the list is walked once.
 */
export function walkAlong(intervals: readonly Interval[]): (stretch: Interval) => Interval[] {
  let passed = 0;
  return ({ start, end }) => {
    while (passed < intervals.length && (intervals[passed] as Interval).end <= start) passed += 1;
    let until = passed;
    while (until < intervals.length && (intervals[until] as Interval).start < end) until += 1;
    return intervals.slice(passed, until);
  };
}
