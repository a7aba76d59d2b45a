import { MAX_CALENDAR_ENTRIES } from '@frontdesk/contracts';
import { plusDays } from '@frontdesk/local-time';
import { type DateRange, daysOf } from './date-range.rules.ts';

/**
 * Most days of calendars, of all resources together, that are read by one query: some 500 KiB, which take a few milliseconds to parse.
 * More at once would hold up the event loop, and live so long that collecting it holds it up again.
 */
const DAYS_AT_ONCE = 1_000;

/** Cuts the list into portions whose calendars of the range can be read at once. */
export function* portionsOf<Resource>(
  resources: readonly Resource[],
  range: DateRange,
): Generator<Resource[]> {
  const days = Math.min(daysOf(range), MAX_CALENDAR_ENTRIES);
  const size = Math.max(1, Math.floor(DAYS_AT_ONCE / days));
  for (let from = 0; from < resources.length; from += size) yield resources.slice(from, from + size);
}

/** Cuts the range into consecutive ones, for which the calendars of so many resources can be read at once. */
export function* rangesWithin({ timezone, from, to }: DateRange, resources: number): Generator<DateRange> {
  const days = Math.max(1, Math.floor(DAYS_AT_ONCE / Math.max(1, resources)));
  for (let start = from; start <= to; start = plusDays(start, days)) {
    const end = plusDays(start, days - 1);
    yield { timezone, from: start, to: end < to ? end : to };
  }
}
