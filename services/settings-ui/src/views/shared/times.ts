import type { TimeOffDays } from '../../domain/business/time-off.ts';
import { shortDate } from '../../domain/dates.ts';
import { type Html, html } from './html.ts';

/** Shows instants as a business's clock does; its zone when pointed at. */
function instantsIn(timeStyle: 'short' | 'medium') {
  const formats = new Map<string, Intl.DateTimeFormat>();
  return (zone: string, at: string): Html => {
    const format = formats.getOrInsertComputed(
      zone,
      (timeZone) => new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle, timeZone }),
    );
    return html`<time datetime="${at}" title="${zone}">${format.format(new Date(at))}</time>`;
  };
}

/** An instant to the minute. */
export const timeIn = instantsIn('short');
/** An instant to the second, for deliveries, their attempts and replays. */
export const momentIn = instantsIn('medium');

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
