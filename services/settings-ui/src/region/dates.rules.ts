import { clockOf } from './minutes.rules.ts';
import type { Region } from './region.rules.ts';
import { dateFormat, formatsOf } from './region-formats.rules.ts';

/**
 * Dates without a time (Y-m-d), which no zone moves, and clock times (H:i), as a country writes them; and what a
 * business's clocks show.
 */

type Country = Pick<Region, 'country'>;

const format = (options: Intl.DateTimeFormatOptions) => (region: Country, date: string) =>
  dateFormat(region, options).format(new Date(date));

/** `Sat`. */
export const weekdayName = format({ weekday: 'short' });
/** `21 Nov`. */
export const shortDay = format({ day: 'numeric', month: 'short' });
/** `21 Nov 2026`. */
export const dayAndYear = format({ day: 'numeric', month: 'short', year: 'numeric' });
/** `Sat, 21 Nov`. */
export const weekdayAndDay = format({ weekday: 'short', day: 'numeric', month: 'short' });
/** `Sat, 21 Nov 2026`. */
export const shortDate = format({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
/** `Saturday, 21 November 2026`. */
export const longDate = format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

/** The midnight that closes a day. */
const CLOSING_MIDNIGHT = '24:00';

/** How a country writes a clock time, for Intl. */
export const clockOptions = (region: Country): Intl.DateTimeFormatOptions => {
  const { isTwelveHour, hourCycle } = formatsOf(region);
  return { hour: isTwelveHour ? 'numeric' : '2-digit', minute: '2-digit', hourCycle };
};

/** Lines don't break before AM or PM. */
export const unbroken = (text: string): string => text.replace(/\s(?=[ap]\.?m\b)/iu, '\u00A0');

function clockWith(region: Country, time: string, { isHourAlone = false } = {}): string {
  const { isTwelveHour, clocks } = formatsOf(region);
  if (time === CLOSING_MIDNIGHT && !isTwelveHour) return time;
  return clocks.getOrInsertComputed(isHourAlone ? `${time} alone` : time, () => {
    const { hour, minute, hourCycle } = clockOptions(region);
    const options = isHourAlone && isTwelveHour ? { hour, hourCycle } : { hour, minute, hourCycle };
    const at = time === CLOSING_MIDNIGHT ? '00:00' : time;
    return unbroken(dateFormat(region, options).format(new Date(`1970-01-01T${at}Z`)));
  });
}

/** A clock time (H:i) as the country writes it: `14:00`, `2:00 PM`. */
export const clockText = (region: Country, time: string): string => clockWith(region, time);

/** A full hour (H:i), where there is little room: `14:00`, `2 PM`. */
export const hourText = (region: Country, time: string): string =>
  clockWith(region, time, { isHourAlone: true });

const HALF = /\u00A0[^\u00A0]+$/u;

/** From when to when (H:i): `09:00–17:00`, `9:00 AM – 5:00 PM`, `2:00 – 5:00 PM`. */
export function spanText(region: Country, start: string, end: string): string {
  const [from, until] = [clockText(region, start), clockText(region, end)];
  if (!formatsOf(region).isTwelveHour) return `${from}–${until}`;
  const isOneHalf = HALF.exec(from)?.[0] === HALF.exec(until)?.[0] && start < end && end < '24:00';
  return `${isOneHalf ? from.replace(HALF, '') : from}\u00A0– ${until}`;
}

/** Y-m-d, so many days later. */
export const addDays = (date: string, days: number): string =>
  Temporal.PlainDate.from(date).add({ days }).toString();

const zoned = (zone: string, at: number | string) =>
  Temporal.Instant.fromEpochMilliseconds(new Date(at).getTime()).toZonedDateTimeISO(zone);

/** The date that it is there at an instant, Y-m-d. */
export const dateIn = (zone: string, at: number | string): string => zoned(zone, at).toPlainDate().toString();

/** The clock time that it is there at an instant, H:i. */
export function clockTimeIn(zone: string, at: number | string): string {
  const { hour, minute } = zoned(zone, at);
  return clockOf(hour * 60 + minute);
}

/** A clock time (H:i), where hours nearby say which half of the day it is: `2:05`. */
export const shortClockText = (region: Country, time: string): string =>
  clockText(region, time).replace(HALF, '');

/** What the clocks there show at an instant. */
export const clockIn = (region: Region, at: number | string): string =>
  clockText(region, clockTimeIn(region.zone, at));
