export const MINUTE_MS = 60_000;

export const plusDays = (date: string, days: number) =>
  Temporal.PlainDate.from(date).add({ days }).toString();

/** `H:i` of a wall-clock minute. */
export const hhmm = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

/** `Y-m-dTH:i` that a clock of the zone shows at an instant (epoch ms). */
export const wallAt = (instant: number, timezone: string) =>
  Temporal.Instant.fromEpochMilliseconds(instant)
    .toZonedDateTimeISO(timezone)
    .toPlainDateTime()
    .toString()
    .slice(0, 16);

/**
 * The clock on the wall, looked at once a minute, from the day before `from` on: slow, and right about every clock
 * change without knowing of any. Walls are `Y-m-dTH:i`, instants epoch ms.
 */
export function wallClock(timezone: string, from: string, days: number) {
  const start = Temporal.PlainDate.from(from).subtract({ days: 1 }).toZonedDateTime('UTC').epochMilliseconds;
  const minutes = Array.from({ length: (days + 2) * 1_440 }, (_, index) => {
    const instant = start + index * MINUTE_MS;
    return { instant, wall: wallAt(instant, timezone) };
  });
  const first = new Map<string, number>();
  for (const { instant, wall } of minutes) if (!first.has(wall)) first.set(wall, instant);
  return {
    timezone,
    /** The first instant whose clock shows this wall time; undefined where a clock change skips it. */
    firstShowing: (wall: string) => first.get(wall),
    /** The first instant whose clock shows this wall time or a later one. */
    firstReaching(wall: string): number {
      const reached = first.get(wall) ?? minutes.find((minute) => minute.wall >= wall)?.instant;
      if (reached === undefined) throw new Error(`the clock ends before ${wall}`);
      return reached;
    },
  };
}

export type WallClock = ReturnType<typeof wallClock>;
