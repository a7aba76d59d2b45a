const pad = (value: number) => String(value).padStart(2, '0');

/** Wall-clock minute of a day → `H:i`; 1440 is `24:00`. */
export function timeOfMinute(minute: number): string {
  return `${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`;
}

/** `H:i` → wall-clock minute of a day. */
export function minuteOfTime(time: string): number {
  const [hours, minutes] = time.split(':').map(Number) as [number, number];
  return hours * 60 + minutes;
}

/** An instant (epoch ms) as people of that zone write it, and as RFC 3339 with the offset in force there and then. */
export function localTime(instant: number, timezone: string): { date: string; time: string; iso: string } {
  const zoned = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timezone);
  const iso = zoned.toString({ smallestUnit: 'second', timeZoneName: 'never' });
  const [date, clock] = iso.split('T') as [string, string];
  return { date, time: clock.slice(0, 5), iso };
}

/** The local date of an instant, moved by whole days. */
export function localDate(instant: number, timezone: string, plusDays = 0): string {
  const zoned = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timezone);
  return zoned.toPlainDate().add({ days: plusDays }).toString();
}
