import type { DayAppointment } from '@frontdesk/contracts';
import { freeTimes, type GridStart, holdsPlace, occupied } from '../../domain/appointments/booking-grid.ts';
import { bookingAddress } from '../../domain/appointments/booking-query.ts';
import {
  appointmentsOn,
  breaksOf,
  type HourMark,
  lanesOf,
  pixels,
  placeOf,
  type Stretch,
  stretchOf,
} from '../../domain/appointments/day-plot.ts';
import { clockText, weekdayAndDay } from '../../domain/shared/dates.ts';
import { type Html, html } from '../shared/html.ts';
import { appointmentBlock } from './appointment-block.view.ts';
import type { PlanColumn, PlanOptions } from './plan-options.ts';

interface PlotOptions extends PlanOptions {
  gridOf: (column: PlanColumn) => GridStart[];
  marksOf: (column: PlanColumn) => HourMark[];
}

/** Below this height, in pixels, there is no room for a line. */
const ONE_LINE = 14;

/** A person's day, time downwards. Shades say what is open; links are what is booked, and what is free. */
export function columnPlot(planned: PlanColumn, options: PlotOptions): Html {
  const { label, day, column, range } = planned;
  const { showsCancelled, canBook, now } = options;
  const height = pixels(range.end - range.start);
  const appointments = appointmentsOn(day, column, showsCancelled).map((appointment) => ({
    ...stretchOf(appointment),
    appointment,
  }));
  return html`<svg class="plan-column" width="100%" height="${height}" role="group" aria-label="${label}"${canBook && columnData(planned, options)}>
<g aria-hidden="true">${column.open.map((stretch) => block('open', stretchOf(stretch), range))}
${column.time_off.map((stretch) => labelled('away', stretchOf(stretch), range, stretch.note ?? 'Time off'))}
${breaksOf(column).map((stretch) => labelled('break', stretch, range, 'Break'))}
${options.marksOf(planned).map(({ at }) => html`<line class="hour" x1="0" x2="100%" y1="${pixels(at - range.start)}" y2="${pixels(at - range.start)}"/>`)}
${column.appointments.map((appointment) => buffers(appointment, range))}</g>
${canBook && freeLinks(planned, options)}
${lanesOf(appointments).map(({ stretch, ...lanes }) => appointmentBlock(stretch.appointment, lanes, planned, options))}
${nowLine(now, range)}</svg>`;
}

/** The column as calendar.js sees it: whose it is, and where in it bookings may begin, which only active staff have. */
function columnData(planned: PlanColumn, { region, gridOf }: PlotOptions): Html {
  const { day, column, range, who } = planned;
  const grid = gridOf(planned).map(
    ({ at, time }) => `${pixels(at - range.start)} ${time} ${clockText(region, time)}`,
  );
  return html` data-date="${day.date}" data-day="${weekdayAndDay(region, day.date)}" data-staff="${column.staff_id ?? ''}" data-who="${who}"${column.is_active && html` data-grid="${grid.join('|')}"`}`;
}

/** Out of the order of the keyboard, as there may be hundreds: there the column's head leads to the same. */
function freeLinks(planned: PlanColumn, { region, gridOf, now }: PlotOptions): (Html | null)[] {
  const { day, column, range } = planned;
  const staff_id = column.staff_id ?? undefined;
  const options = { now, stepMinutes: day.slot_step_minutes };
  return freeTimes(column, gridOf(planned), options).map(({ time, ...stretch }) => {
    const place = placeOf(stretch, range);
    const href = bookingAddress({ date: day.date, time, staff_id });
    return (
      place &&
      html`<a class="free" href="${href}" tabindex="-1"><title>Book ${clockText(region, time)}</title><rect x="0" y="${place.top}" width="100%" height="${place.height}"/></a>`
    );
  });
}

const block = (name: string, stretch: Stretch, range: Stretch): Html | null => {
  const place = placeOf(stretch, range);
  return place && html`<rect class="${name}" x="0" y="${place.top}" width="100%" height="${place.height}"/>`;
};

function labelled(name: string, stretch: Stretch, range: Stretch, text: string): Html | null {
  const place = placeOf(stretch, range);
  if (!place) return null;
  const { top, height } = place;
  return html`${block(name, stretch, range)}${height >= ONE_LINE && html`<svg x="0" y="${top}" width="100%" height="${height}"><text class="aside" x="10" y="${Math.min(18, height / 2 + 4)}">${text}</text></svg>`}`;
}

/** Faintly, what an appointment keeps free before and after itself; of one that holds its place. */
function buffers(appointment: DayAppointment, range: Stretch): (Html | null)[] {
  if (!holdsPlace(appointment)) return [];
  const [visible, all] = [stretchOf(appointment), occupied(appointment)];
  return [
    block('buffer', { start: all.start, end: visible.start }, range),
    block('buffer', { start: visible.end, end: all.end }, range),
  ];
}

const nowLine = (now: number, range: Stretch): Html | false => {
  const y = pixels(now - range.start);
  return (
    range.start <= now &&
    now < range.end &&
    html`<line class="now" x1="0" x2="100%" y1="${y}" y2="${y}" aria-hidden="true"/>`
  );
};
