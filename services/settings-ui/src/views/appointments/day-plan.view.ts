import type { DayColumn } from '@frontdesk/contracts';
import { clockIn } from '../../domain/dates.ts';
import { hourMarks, pixels } from '../../domain/day-plot.ts';
import { type Html, html } from '../shared/html.ts';
import { badge } from '../shared/parts.ts';
import { span } from './appointment-words.ts';
import { columnPlot, type PlotOptions } from './day-column.view.ts';

/** The day as a plan: hours on the left, everybody beside each other. Wide ones scroll by themselves. */
export function dayPlan(options: Omit<PlotOptions, 'marks'>, business: string): Html {
  const { day, range } = options;
  const hours = hourMarks(day).filter(({ at }) => range.start <= at && at <= range.end);
  const marks = hours.map(({ at }) => at);
  return html`<div class="plan" tabindex="0" role="region" aria-label="Plan of the day">
<div class="plan-corner"></div>${axis(options, hours)}
${day.columns.map((column) => {
  const name = columnName(column, business);
  return html`<div class="plan-head"><strong>${name}</strong>${!column.is_active && badge('off', 'Not bookable')}
<span class="hint">${hoursWords(column, day.timezone)}</span></div>
${columnPlot(column, name, { ...options, marks })}`;
})}</div>`;
}

export const columnName = ({ name, staff_id, is_active }: DayColumn, business: string): string =>
  name ?? (staff_id === null && !is_active ? 'Unassigned' : business);

/** When somebody works that day, and why not or otherwise than usual. */
export function hoursWords(column: DayColumn, zone: string): string {
  if (!column.is_active) return 'Takes no bookings';
  const worked = column.open.map((stretch) => span(zone, stretch)).join(', ');
  return `${worked === '' ? 'Not working' : worked}${whyWords(column)}`;
}

/** Why somebody's day is not as usual, as far as it is known: ` (Course)`. */
export function whyWords({ open, time_off, exception }: DayColumn): string {
  const otherwise = open.length > 0 ? 'different hours than usual' : 'closed';
  const reasons = new Set([
    ...time_off.map(({ note }) => note ?? 'time off'),
    ...(exception ? [exception.note ?? otherwise] : []),
  ]);
  return reasons.size > 0 ? ` (${[...reasons].join(', ')})` : '';
}

function axis({ day, range, now }: Omit<PlotOptions, 'marks'>, hours: ReturnType<typeof hourMarks>): Html {
  const isNow = now !== null && range.start <= now && now < range.end;
  return html`<svg class="plan-axis" width="100%" height="${pixels(range.end - range.start)}" aria-hidden="true">
${hours.slice(0, -1).map(({ at, label }) => {
  const [time, offset] = label.split(' ');
  const y = pixels(at - range.start);
  return html`<text x="100%" dx="-8" y="${y + 14}">${time}</text>${offset && html`<text class="offset" x="100%" dx="-8" y="${y + 28}">${offset}</text>`}`;
})}
${isNow && html`<rect class="now-ground" x="0" y="${pixels(now - range.start) - 9}" width="100%" height="18" rx="4"/><text class="now-time" x="100%" dx="-8" y="${pixels(now - range.start) + 4}">${clockIn(day.timezone, now)}</text>`}</svg>`;
}
