import type { TimeOffDays } from '../../domain/business/time-off.ts';
import { shortDate } from '../../domain/dates.ts';
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

const exactFormats = new Map<string, Intl.DateTimeFormat>();

/** The same with its seconds, where what happened is a matter of those. */
export const momentIn = (zone: string, at: string): Html => {
  const format = exactFormats.getOrInsertComputed(
    zone,
    (timeZone) => new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone }),
  );
  return html`<time datetime="${at}" title="${zone}">${format.format(new Date(at))}</time>`;
};

export const timeOr = (zone: string, at: string | null, otherwise: string): Html | string =>
  at === null ? otherwise : timeIn(zone, at);

/** A date that no zone moves. */
export const dayIn = (date: string): Html => html`<time datetime="${date}">${shortDate(date)}</time>`;

export function daysIn({ first, last }: TimeOffDays): Html {
  const moment = ({ date, time }: TimeOffDays['first']) =>
    html`${dayIn(date)}${time !== null && `, ${time}`}`;
  const isOneWholeDay = first.date === last.date && first.time === null && last.time === null;
  if (isOneWholeDay) return dayIn(first.date);
  return html`${moment(first)} – ${moment(last)}`;
}
