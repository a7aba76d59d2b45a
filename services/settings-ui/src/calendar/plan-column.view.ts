import type { DayAppointment, DayHold, DayTimeOff } from '@frontdesk/contracts';
import { freeTimes, type GridStart, occupied, takesTime } from '../booking/booking-grid.rules.ts';
import {
  appointmentsOn,
  breaksOf,
  type HourMark,
  holdsOf,
  lanesOf,
  pixels,
  placeOf,
  type Stretch,
  stretchOf,
} from '../booking/day-plot.rules.ts';
import { span } from '../records/appointment-words.view.ts';
import { bookingAddress } from '../records/booking-query.rules.ts';
import { inColorOf } from '../records/person.view.ts';
import { clockText, clockTimeIn } from '../region/dates.rules.ts';
import { type Html, html } from '../ui/html.ts';
import { appointmentTile } from './appointment-tile.view.ts';
import { holdTile } from './hold.view.ts';
import type { PlanColumn, PlanOptions } from './plan-options.ts';
import { type Lane, ONE_LINE } from './tile.rules.ts';
import { ownerData, timeOffLink } from './time-off.view.ts';

interface PlotOptions extends PlanOptions {
  gridOf: (column: PlanColumn) => GridStart[];
  marksOf: (column: PlanColumn) => HourMark[];
}

/** A person's day, time downwards. Shades say what is open; links are what is booked, and what is free. */
export function columnPlot(planned: PlanColumn, options: PlotOptions): Html {
  const { label, column, range } = planned;
  const { canBook, now } = options;
  const height = pixels(range.end - range.start);
  return html`<svg class="plan-column" width="100%" height="${height}" role="group"
aria-label="${label}"${inColorOf(column)}${canBook && columnData(planned, options)}>
<g aria-hidden="true">${column.open.map((stretch) => rectangle('open', stretchOf(stretch), range))}
${column.time_off.map((timeOff) => !timeOff.entry && labelled('away', stretchOf(timeOff), range, timeOffWords(timeOff)))}
${breaksOf(column).map((stretch) => labelled('break', stretch, range, 'Break'))}
${options
  .marksOf(planned)
  .map(
    ({ at }) =>
      html`<line class="hour" x1="0" x2="100%" y1="${pixels(at - range.start)}" y2="${pixels(at - range.start)}"/>`,
  )}
${[...column.appointments.filter(takesTime), ...holdsOf(column)].map((taken) => buffers(taken, range))}</g>
${canBook && freeLinks(planned, options)}
${column.time_off.map((timeOff) => linkedTimeOff(timeOff, planned, options))}
${nowLine(now, range)}
${lanesOf(tilesOf(planned, options)).map(({ stretch, ...lane }) => stretch.draw(lane))}</svg>`;
}

interface Tile extends Stretch {
  draw: (lane: Lane) => Html | null;
}

/** What nobody else can have, and what was cancelled, where that is shown. */
function tilesOf(planned: PlanColumn, options: PlotOptions): Tile[] {
  const { day, column } = planned;
  const booked = appointmentsOn(day, column, options.showsCancelled).map((appointment): Tile => {
    const draw = (lane: Lane) => appointmentTile(appointment, lane, planned, options);
    return { ...stretchOf(appointment), draw };
  });
  const held = holdsOf(column).map((hold): Tile => {
    return { ...stretchOf(hold), draw: (lane) => holdTile(hold, lane, planned, options) };
  });
  return [...booked, ...held];
}

/** The column as calendar.js sees it: whose it is, and where in it bookings may begin, which only active staff have. */
function columnData(planned: PlanColumn, { region, gridOf }: PlotOptions): Html {
  const { day, column, range, who } = planned;
  const grid = gridOf(planned).map(
    ({ at, time }) => `${pixels(at - range.start)} ${time} ${clockText(region, time)}`,
  );
  const last = clockTimeIn(region.zone, range.end);
  const until = range.end === Date.parse(day.ends_at) ? '24:00' : last;
  const end = `${pixels(range.end - range.start)} ${until} ${until === last ? clockText(region, last) : until}`;
  return html`${ownerData(day, column, { region, who })}${
    column.is_active && html` data-grid="${grid.join('|')}" data-end="${end}"`
  }`;
}

const timeOffWords = ({ note }: DayTimeOff): string => note ?? 'Time off';

/** What is taken off, where it lies; it leads to where it can be removed. */
function linkedTimeOff(
  timeOff: DayTimeOff,
  planned: PlanColumn,
  { region, canBook }: PlotOptions,
): Html | false {
  const { key, day, column, range, who } = planned;
  const link = timeOffLink(timeOff, day, column, { region, canBook, who });
  if (!link || !placeOf(stretchOf(timeOff), range)) return false;
  return html`<a class="time-off" id="${key}-off${timeOff.entry?.id}"${link}>
<title>Time off ${span(region, timeOff)}${timeOff.note && `, ${timeOff.note}`}</title>${labelled('away', stretchOf(timeOff), range, timeOffWords(timeOff))}</a>`;
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
      html`<a class="free" href="${href}" tabindex="-1"><title>Book ${clockText(region, time)}</title>
<rect x="0" y="${place.top}" width="100%" height="${place.height}"/></a>`
    );
  });
}

const rectangle = (name: string, stretch: Stretch, range: Stretch): Html | null => {
  const place = placeOf(stretch, range);
  return place && html`<rect class="${name}" x="0" y="${place.top}" width="100%" height="${place.height}"/>`;
};

function labelled(name: string, stretch: Stretch, range: Stretch, text: string): Html | null {
  const place = placeOf(stretch, range);
  if (!place) return null;
  const { top, height } = place;
  return html`${rectangle(name, stretch, range)}${
    height >= ONE_LINE &&
    html`<foreignObject y="${top}" width="100%" height="${height}" aria-hidden="true"><span class="tile aside"><span>${text}</span></span></foreignObject>`
  }`;
}

/** Faintly, what nobody else can have before and after it. */
function buffers(taken: DayAppointment | DayHold, range: Stretch): (Html | null)[] {
  const [visible, all] = [stretchOf(taken), occupied(taken)];
  return [
    rectangle('buffer', { start: all.start, end: visible.start }, range),
    rectangle('buffer', { start: visible.end, end: all.end }, range),
  ];
}

/** Below the appointments: a short one would look struck through. */
const nowLine = (now: number, range: Stretch): Html | false => {
  const y = pixels(now - range.start);
  return (
    range.start <= now &&
    now < range.end &&
    html`<line class="now" x1="0" x2="100%" y1="${y}" y2="${y}" aria-hidden="true"/>`
  );
};
