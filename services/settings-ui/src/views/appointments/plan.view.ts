import type { DayColumn } from '@frontdesk/contracts';
import { bookingGrid, type GridStart } from '../../domain/appointments/booking-grid.ts';
import { type HourMark, hourMarksWithin, pixels } from '../../domain/appointments/day-plot.ts';
import type { Person } from '../../domain/people.ts';
import { clockTimeIn, hourText, shortClockText } from '../../domain/shared/dates.ts';
import type { Region } from '../../domain/shared/region.ts';
import { type Html, html } from '../shared/html.ts';
import { span } from './appointment-words.ts';
import { columnPlot } from './plan-column.view.ts';
import type { PlanColumn, PlanOptions } from './plan-options.ts';

interface LabelledOptions extends PlanOptions {
  label: string;
}

/** Days beside each other, hours on the left. Wide ones scroll by themselves. */
export function plan(columns: readonly PlanColumn[], { label, ...options }: LabelledOptions): Html {
  const grids = new Map<string, GridStart[]>();
  const gridOf = ({ day, range }: PlanColumn) =>
    grids.getOrInsertComputed(day.date, () => bookingGrid(day, range));
  const marks = new Map<string, HourMark[]>();
  const marksOf = ({ day, range }: PlanColumn) =>
    marks.getOrInsertComputed(day.date, () => hourMarksWithin(day, range));
  return html`<div class="plan" tabindex="0" role="region" aria-label="${label}">
<div class="plan-corner"></div>${axis(columns, options)}
${columns.map((column) => html`<div class="plan-head">${column.head}</div>\n${columnPlot(column, { ...options, gridOf, marksOf })}`)}</div>`;
}

export const columnName = ({ name, staff_id, is_active }: Person, business: string): string =>
  name ?? (staff_id === null && !is_active ? 'Unassigned' : business);

/** When somebody works that day, and why not or otherwise than usual. */
export function hoursWords(column: DayColumn, region: Region): string {
  if (!column.is_active) return 'Takes no bookings';
  const worked = column.open.map((stretch) => span(region, stretch)).join(', ');
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

const lengthOf = ({ range }: PlanColumn) => range.end - range.start;

/** The hours of the first day that has as many as any other: only where the clocks change, days differ. */
function axis(columns: readonly PlanColumn[], { region, now }: PlanOptions): Html {
  const longest = Math.max(...columns.map(lengthOf));
  const shown = columns.find((column) => lengthOf(column) === longest);
  const today = columns.find(({ range }) => range.start <= now && now < range.end);
  const nowAt = today && pixels(now - today.range.start);
  return html`<svg class="plan-axis" width="100%" height="${pixels(Math.max(longest, 0))}" aria-hidden="true">
${shown && hourLabels(shown, region)}
${today && nowAt !== undefined && html`<rect class="now-ground" x="0" y="${nowAt - 9}" width="100%" height="18" rx="4"/><text class="now-time" x="100%" dx="-8" y="${nowAt + 4}">${shortClockText(region, clockTimeIn(region.zone, now))}</text>`}</svg>`;
}

const hourLabels = ({ day, range }: PlanColumn, region: Region): Html[] =>
  hourMarksWithin(day, range)
    .filter(({ at }) => at < range.end)
    .map(({ at, label }) => {
      const [time = '', offset] = label.split(' ');
      const y = pixels(at - range.start);
      return html`<text x="100%" dx="-8" y="${y + 14}">${hourText(region, time)}</text>${offset && html`<text class="offset" x="100%" dx="-8" y="${y + 28}">${offset}</text>`}`;
    });
