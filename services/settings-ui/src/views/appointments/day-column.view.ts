import type { AppointmentAdmin, Day, DayColumn } from '@frontdesk/contracts';
import { clockIn } from '../../domain/dates.ts';
import {
  appointmentsOn,
  breaksOf,
  lanesOf,
  pixels,
  placeOf,
  type Stretch,
  stretchOf,
} from '../../domain/day-plot.ts';
import { type Html, html } from '../shared/html.ts';
import { appointmentAddress, appointmentWords, customerName, STATUS_WORDS } from './appointment-words.ts';

export interface PlotOptions {
  day: Day;
  range: Stretch;
  customers: ReadonlyMap<number, string> | null;
  showsCancelled: boolean;
  /** Where the clocks stand now; null on another day. */
  now: number | null;
  /** At each full hour. */
  marks: readonly number[];
}

const MINUTE_MS = 60_000;
/** On either side of what is booked, in percent of the column. */
const MARGIN = 1;
/** Below these heights, in pixels, there is no room for a line, or for a second one. */
const [ONE_LINE, TWO_LINES, THREE_LINES] = [14, 36, 54];

/** One staff member's day, time downwards. Shades say what is open; links are what is booked. */
export function columnPlot(column: DayColumn, label: string, options: PlotOptions): Html {
  const { day, range, showsCancelled, now, marks } = options;
  const height = pixels(range.end - range.start);
  const appointments = appointmentsOn(day, column, showsCancelled).map((appointment) => ({
    ...stretchOf(appointment),
    appointment,
  }));
  return html`<svg class="plan-column" width="100%" height="${height}" role="group" aria-label="${label}">
<g aria-hidden="true">${column.open.map((stretch) => block('open', stretchOf(stretch), range))}
${column.time_off.map((stretch) => labelled('away', stretchOf(stretch), range, stretch.note ?? 'Time off'))}
${breaksOf(column).map((stretch) => labelled('break', stretch, range, 'Break'))}
${marks.map((at) => html`<line class="hour" x1="0" x2="100%" y1="${pixels(at - range.start)}" y2="${pixels(at - range.start)}"/>`)}
${column.appointments.map((appointment) => buffers(appointment, range))}</g>
${lanesOf(appointments).map(({ stretch, lane, lanes }) => appointmentLink(stretch.appointment, { lane, lanes }, options))}
${now !== null && nowLine(now, range)}</svg>`;
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
function buffers(appointment: AppointmentAdmin, range: Stretch): (Html | null)[] {
  const { status, buffer_before_minutes: before, buffer_after_minutes: after } = appointment;
  if (status === 'cancelled' || status === 'no_show') return [];
  const { start, end } = stretchOf(appointment);
  return [
    block('buffer', { start: start - before * MINUTE_MS, end: start }, range),
    block('buffer', { start: end, end: end + after * MINUTE_MS }, range),
  ];
}

function appointmentLink(
  appointment: AppointmentAdmin,
  { lane, lanes }: { lane: number; lanes: number },
  { day: { timezone: zone }, range, customers }: PlotOptions,
): Html | null {
  const place = placeOf(stretchOf(appointment), range);
  if (!place) return null;
  const { id, status } = appointment;
  const share = 100 / lanes;
  // A title is a link's name within SVG.
  const words = appointmentWords(appointment, { zone, customers });
  return html`<a href="${appointmentAddress(id)}" class="appointment ${status}"><title>${words}</title>
<svg x="${lane * share + MARGIN}%" y="${place.top}" width="${share - 2 * MARGIN}%" height="${place.height}"><rect class="box" width="100%" height="100%"/><rect class="edge" width="4" height="100%"/>
${lines(appointment, place.height, { zone, customers })}</svg></a>`;
}

function lines(
  appointment: AppointmentAdmin,
  height: number,
  { zone, customers }: { zone: string; customers: ReadonlyMap<number, string> | null },
): (Html | false)[] {
  const { starts_at, customer_id, service_name, status } = appointment;
  const who = `${clockIn(zone, starts_at)} ${customerName(customers, customer_id)}`;
  const state = status === 'scheduled' ? '' : STATUS_WORDS[status];
  const rest = [service_name, state].filter((text) => text !== '');
  if (height < ONE_LINE) return [];
  if (height < TWO_LINES) return [line(`${who} · ${rest.join(' · ')}`, Math.min(16, height / 2 + 4), true)];
  if (height < THREE_LINES || state === '') return [line(who, 17, true), line(rest.join(' · '), 33)];
  return [line(who, 17, true), line(service_name, 33), line(state, 49)];
}

const line = (text: string, y: number, isFirst = false): Html =>
  html`<text x="10" y="${y}"${isFirst && html` class="first"`}>${text}</text>`;

const nowLine = (now: number, range: Stretch): Html | false => {
  const y = pixels(now - range.start);
  return (
    range.start <= now &&
    now < range.end &&
    html`<line class="now" x1="0" x2="100%" y1="${y}" y2="${y}" aria-hidden="true"/>`
  );
};
