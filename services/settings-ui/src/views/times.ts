import { type Html, html } from './html.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  return formats.getOrInsertComputed(
    zone,
    (timeZone) => new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone }),
  );
}

/** An instant as the business's clock shows it; its zone when pointed at. */
export const timeIn = (zone: string, at: string): Html =>
  html`<time datetime="${at}" title="${zone}">${formatOf(zone).format(new Date(at))}</time>`;

export const timeOr = (zone: string, at: string | null, otherwise: string): Html | string =>
  at === null ? otherwise : timeIn(zone, at);

/** What the business's clocks show at an instant, H:i. */
export const clockIn = (zone: string, at: number | string): string =>
  Temporal.Instant.fromEpochMilliseconds(new Date(at).getTime())
    .toZonedDateTimeISO(zone)
    .toPlainTime()
    .toString({ smallestUnit: 'minute' });
