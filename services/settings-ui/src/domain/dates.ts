import type { TenantView } from '@frontdesk/contracts';

/** Dates without a time (Y-m-d), which no zone moves, and what a business's clocks show. */

const format = (options: Intl.DateTimeFormatOptions) => {
  const dates = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options });
  return (date: string) => dates.format(new Date(date));
};

/** `21 Nov`. */
export const shortDay = format({ day: 'numeric', month: 'short' });
/** `Sat, 21 Nov`. */
export const weekdayAndDay = format({ weekday: 'short', day: 'numeric', month: 'short' });
/** `Sat, 21 Nov 2026`. */
export const shortDate = format({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
/** `Saturday, 21 November 2026`. */
export const longDate = format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

const zoned = (zone: string, at: number | string) =>
  Temporal.Instant.fromEpochMilliseconds(new Date(at).getTime()).toZonedDateTimeISO(zone);

/** The date that it is there at an instant. */
export const dateIn = (zone: string, at: number | string): string => zoned(zone, at).toPlainDate().toString();

/** What the clocks there show at an instant, H:i. */
export const clockIn = (zone: string, at: number | string): string =>
  zoned(zone, at).toPlainTime().toString({ smallestUnit: 'minute' });

/** Times are the business's; where its zone is unknown, UTC, and the page says so. */
export const zoneOf = ({ tenant }: { tenant: Pick<TenantView, 'timezone'> | null }): string =>
  tenant?.timezone ?? 'UTC';
