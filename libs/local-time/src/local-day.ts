import { LRUCache } from 'lru-cache';
import { minuteOfTime } from './local-time.ts';
import { DAY_MINUTES, MINUTE_MS } from './time-units.ts';

/** One calendar day of a time zone, as a table from wall-clock minutes (0 is 00:00) to instants in epoch ms. */
export interface LocalDay {
  date: string;
  nextDate: string;
  /** 1 is Monday, 7 is Sunday. */
  weekday: number;
  /** From one midnight to the next without a clock change: minutes are plain arithmetic. */
  isRegular: boolean;
  /** The first instant whose clock shows this minute, or null where a clock change skips it. */
  instantOf(minute: number): number | null;
  /** The first instant whose clock shows this minute or a later one; 1440 is the midnight that closes the day. */
  boundaryOf(minute: number): number;
}

function firstInstantOf(wall: Temporal.PlainDateTime, timezone: string): number | null {
  const zoned = wall.toZonedDateTime(timezone, { disambiguation: 'earlier' });
  return zoned.toPlainDateTime().equals(wall) ? zoned.epochMilliseconds : null;
}

function firstInstantFrom(wall: Temporal.PlainDateTime, timezone: string): number {
  const exact = firstInstantOf(wall, timezone);
  if (exact !== null) return exact;
  const change = wall
    .toZonedDateTime(timezone, { disambiguation: 'earlier' })
    .getTimeZoneTransition('next') as Temporal.ZonedDateTime;
  return change.epochMilliseconds;
}

/** The first instant at which clocks of the zone show this date and time; null where they never do. */
export function instantOfWallTime(date: string, time: string, timezone: string): number | null {
  return firstInstantOf(Temporal.PlainDateTime.from(`${date}T${time}`), timezone);
}

function workOutDay(date: string, timezone: string): LocalDay {
  const day = Temporal.PlainDate.from(date);
  const nextDate = day.add({ days: 1 }).toString();
  const start = day.toZonedDateTime(timezone);
  const end = day.add({ days: 1 }).toZonedDateTime(timezone);
  const midnight = start.epochMilliseconds;
  // Nearly every day: no clock change, so that minutes are plain arithmetic.
  const isRegular =
    start.toPlainDateTime().equals(day.toPlainDateTime()) &&
    end.epochMilliseconds - midnight === DAY_MINUTES * MINUTE_MS;
  if (isRegular) {
    const at = (minute: number) => midnight + minute * MINUTE_MS;
    return { date, nextDate, weekday: day.dayOfWeek, isRegular, instantOf: at, boundaryOf: at };
  }
  const wall = (minute: number) => day.toPlainDateTime().add({ minutes: minute });
  return {
    date,
    nextDate,
    weekday: day.dayOfWeek,
    isRegular,
    instantOf: onceForEach((minute) => firstInstantOf(wall(minute), timezone)),
    boundaryOf: onceForEach((minute) => firstInstantFrom(wall(minute), timezone)),
  };
}

/** Remembers the answer for each minute of the day. */
function onceForEach<Result>(ask: (minute: number) => Result): (minute: number) => Result {
  const known = new Map<number, Result>();
  return (minute) => known.getOrInsertComputed(minute, ask);
}

const days = new LRUCache<string, LocalDay>({ max: 10_000 });

/** The day of this date (Y-m-d) in the zone; each is worked out once. */
export function localDay(date: string, timezone: string): LocalDay {
  const key = `${timezone} ${date}`;
  const known = days.get(key);
  if (known !== undefined) return known;
  const day = workOutDay(date, timezone);
  days.set(key, day);
  return day;
}

/** A stretch between two readings of the zone's clocks, `Y-m-dTH:i`; one that a clock change skips falls on the change. */
export function wallInterval(start: string, end: string, timezone: string): { start: number; end: number } {
  const at = (wall: string) =>
    localDay(wall.slice(0, 10), timezone).boundaryOf(minuteOfTime(wall.slice(11, 16)));
  return { start: at(start), end: at(end) };
}
