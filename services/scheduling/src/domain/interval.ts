/** Half-open, in epoch ms. */
export interface Interval {
  start: number;
  end: number;
}

/** Joins intervals that touch or overlap: work until midnight and from midnight on is one stretch. Sorted by start. */
export function joined(intervals: Interval[]): Interval[] {
  const out: Interval[] = [];
  for (const { start, end } of intervals.sort((a, b) => a.start - b.start)) {
    const last = out.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else out.push({ start, end });
  }
  return out;
}

/** What is left of the intervals once others are taken out of them. */
export function without(intervals: Interval[], removed: readonly Interval[]): Interval[] {
  let rest = intervals;
  for (const gap of removed) {
    if (gap.start >= gap.end) continue;
    rest = rest
      .flatMap(({ start, end }) => [
        { start, end: Math.min(end, gap.start) },
        { start: Math.max(start, gap.end), end },
      ])
      .filter(({ start, end }) => start < end);
  }
  return rest;
}
