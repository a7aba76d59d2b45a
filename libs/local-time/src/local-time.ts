import { LRUCache } from 'lru-cache';
import { DAY_MS, MINUTE_MS } from './time-units.ts';

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

interface LocalTime {
  /** Y-m-d */
  date: string;
  /** H:i */
  time: string;
  /** RFC 3339 */
  iso: string;
}

interface Offset {
  ms: number;
  /** As RFC 3339 writes it. */
  text: string;
}

const zoned = (instant: number, timezone: string) =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timezone);

/** The zone's offset throughout a day of UTC; null where it changes, or is no whole minute. */
function offsetOfDay(day: number, timezone: string): Offset | null {
  const start = zoned(day * DAY_MS, timezone);
  const ms = start.offsetNanoseconds / 1e6;
  const change = start.getTimeZoneTransition('next');
  if (ms % MINUTE_MS !== 0 || (change !== null && change.epochMilliseconds < (day + 1) * DAY_MS)) return null;
  return { ms, text: start.offset };
}

// Asking Temporal for each of a thousand slots would cost more than all the rest of the request.
const offsets = new LRUCache<string, { offset: Offset | null }>({ max: 10_000 });

function offsetAt(instant: number, timezone: string): Offset | null {
  const day = Math.floor(instant / DAY_MS);
  const key = `${timezone} ${day}`;
  const known = offsets.get(key);
  if (known !== undefined) return known.offset;
  const offset = offsetOfDay(day, timezone);
  offsets.set(key, { offset });
  return offset;
}

function asked(instant: number, timezone: string): LocalTime {
  const at = zoned(instant, timezone);
  const wall = at.toPlainDateTime().toString({ smallestUnit: 'minute' });
  // Offsets before standard time may have seconds, which RFC 3339 doesn't know.
  const iso =
    (at.offsetNanoseconds / 1e6) % MINUTE_MS === 0
      ? at.toString({ smallestUnit: 'second', timeZoneName: 'never' })
      : `${new Date(instant).toISOString().slice(0, 19)}Z`;
  return { date: wall.slice(0, 10), time: wall.slice(11, 16), iso };
}

/** An instant (epoch ms) as people of that zone write it, and as RFC 3339 with the offset in force there and then. */
export function localTime(instant: number, timezone: string): LocalTime {
  const offset = offsetAt(instant, timezone);
  if (offset === null) return asked(instant, timezone);
  const iso = `${new Date(instant + offset.ms).toISOString().slice(0, 19)}${offset.text}`;
  return { date: iso.slice(0, 10), time: iso.slice(11, 16), iso };
}

/** The local date of an instant. */
export function localDate(instant: number, timezone: string): string {
  return localTime(instant, timezone).date;
}

/** A date (Y-m-d) that many days later. */
export function plusDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
}
