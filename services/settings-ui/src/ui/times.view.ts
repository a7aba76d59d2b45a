import { clockText, shortDate, unbroken } from '../region/dates.rules.ts';
import type { Region } from '../region/region.rules.ts';
import { dateFormat } from '../region/region-formats.rules.ts';
import type { TimeOffDays } from '../region/time-off.rules.ts';
import { type Html, html } from './html.ts';

/** Shows instants as a business's clock does; its zone when pointed at. */
function instantsIn(timeStyle: 'short' | 'medium') {
  return (region: Region, at: string): Html => {
    const { zone: timeZone } = region;
    const format = dateFormat(region, { dateStyle: 'medium', timeStyle, timeZone });
    return html`<time datetime="${at}" title="${timeZone}">${unbroken(format.format(new Date(at)))}</time>`;
  };
}

/** An instant to the minute. */
export const timeIn = instantsIn('short');
/** An instant to the second, for deliveries, their attempts and replays. */
export const momentIn = instantsIn('medium');

export const timeOr = (region: Region, at: string | null, otherwise: string): Html | string =>
  at === null ? otherwise : timeIn(region, at);

/** A date that no zone moves. */
export const dayIn = (region: Region, date: string): Html =>
  html`<time datetime="${date}">${shortDate(region, date)}</time>`;

export function daysIn(region: Region, { first, last }: TimeOffDays): Html {
  const moment = ({ date, time }: TimeOffDays['first']) =>
    html`${dayIn(region, date)}${time !== null && `, ${clockText(region, time)}`}`;
  const isOneWholeDay = first.date === last.date && first.time === null && last.time === null;
  if (isOneWholeDay) return dayIn(region, first.date);
  return html`${moment(first)} – ${moment(last)}`;
}
