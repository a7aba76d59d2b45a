import type { DayColumn } from '@frontdesk/contracts';
import { bookingGrid, type GridStart } from '../booking/booking-grid.rules.ts';
import { HOUR_PIXELS, type HourMark, hourMarksWithin, pixels, stretchOf } from '../booking/day-plot.rules.ts';
import { span } from '../records/appointment-words.view.ts';
import type { DayPerson } from '../records/person.rules.ts';
import { clockTimeIn, hourText, shortClockText } from '../region/dates.rules.ts';
import type { Region } from '../region/region.rules.ts';
import { type Html, html } from '../ui/html.ts';
import { columnPlot } from './plan-column.view.ts';
import type { PlanColumn, PlanOptions } from './plan-options.ts';

interface LabelledOptions extends PlanOptions {
  label: string;
}

/** The most hours that one sheet of paper takes at each size: print.css draws them smaller. */
const PRINTED_HOURS = [12, 15, 20, 26];
/** What it takes at full size. */
const WHOLE_SIZE_HOURS = 9;

function printedSize(columns: readonly PlanColumn[]): string {
  const hours = Math.max(0, ...columns.map(lengthOf)) / 3_600_000;
  const most = hours > WHOLE_SIZE_HOURS && PRINTED_HOURS.find((each) => hours <= each);
  return most ? ` hours-${most}` : '';
}

/** Days beside each other, hours on the left. Wide ones scroll by themselves. */
export function plan(columns: readonly PlanColumn[], { label, ...options }: LabelledOptions): Html {
  const grids = new Map<string, GridStart[]>();
  const gridOf = ({ day, range }: PlanColumn) =>
    grids.getOrInsertComputed(day.date, () => bookingGrid(day, range));
  const marks = new Map<string, HourMark[]>();
  const marksOf = ({ day, range }: PlanColumn) =>
    marks.getOrInsertComputed(day.date, () => hourMarksWithin(day, range));
  return html`<div class="plan${printedSize(columns)}" tabindex="0" role="region" aria-label="${label}"${firstOpen(columns)}>
<div class="plan-corner"></div>${axis(columns, options)}
${columns.map(
  (column) =>
    html`<div class="plan-head">${column.head}</div>
<div class="plan-cell">${columnPlot(column, { ...options, gridOf, marksOf })}</div>`,
)}</div>`;
}

/** Where the first opening hour is, in pixels: calendar.js begins there. */
function firstOpen(columns: readonly PlanColumn[]): Html | false {
  const starts = columns.flatMap(({ column, range }) =>
    column.open.map((stretch) => pixels(stretchOf(stretch).start - range.start)),
  );
  const first = Math.floor(Math.min(...starts) / HOUR_PIXELS) * HOUR_PIXELS;
  return first > 0 && first < Number.POSITIVE_INFINITY && html` data-first="${first}"`;
}

export const columnName = ({ name, staff_id, is_active }: DayPerson, business: string): string =>
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
  const clock = shortClockText(region, clockTimeIn(region.zone, now));
  return html`<svg class="plan-axis" width="100%" height="${pixels(Math.max(longest, 0))}" aria-hidden="true">
${shown && hourLabels(shown, region)}
${
  today &&
  nowAt !== undefined &&
  html`<rect class="now-ground" x="0" y="${nowAt - 9}" width="100%" height="18" rx="4"/>
<text class="now-time" x="100%" dx="-8" y="${nowAt + 4}">${clock}</text>`
}</svg>`;
}

const hourLabels = ({ day, range }: PlanColumn, region: Region): Html[] =>
  hourMarksWithin(day, range)
    .filter(({ at }) => at < range.end)
    .map(({ at, label }) => {
      const [time = '', offset] = label.split(' ');
      const y = pixels(at - range.start);
      return html`<text x="100%" dx="-8" y="${y + 14}">${hourText(region, time)}</text>${
        offset && html`<text class="offset" x="100%" dx="-8" y="${y + 28}">${offset}</text>`
      }`;
    });
