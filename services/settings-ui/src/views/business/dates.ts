import type { TimeOffDays } from '../../domain/business/time-off.ts';
import { type Html, html } from '../html.ts';

const DAY = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});

const dayText = (date: string) => DAY.format(Temporal.PlainDate.from(date));

export const dayIn = (date: string): Html => html`<time datetime="${date}">${dayText(date)}</time>`;

export function daysIn({ first, last }: TimeOffDays): Html {
  const moment = ({ date, time }: TimeOffDays['first']) =>
    html`${dayIn(date)}${time !== null && `, ${time}`}`;
  const isOneWholeDay = first.date === last.date && first.time === null && last.time === null;
  if (isOneWholeDay) return dayIn(first.date);
  return html`${moment(first)} – ${moment(last)}`;
}
