import type { DayAppointment } from '@frontdesk/contracts';
import { placeOf, stretchOf } from '../booking/day-plot.rules.ts';
import { appointmentAddress } from '../records/addresses.rules.ts';
import {
  appointmentWords,
  arrivalMark,
  customerName,
  STATUS_WORDS,
} from '../records/appointment-words.view.ts';
import { clockText, clockTimeIn, shortClockText } from '../region/dates.rules.ts';
import { type Html, html } from '../ui/html.ts';
import type { PlanColumn, PlanOptions } from './plan-options.ts';
import { acrossOf, type Lane, ONE_LINE, THREE_LINES, TWO_LINES } from './tile.rules.ts';

/** `start`: the clock time at which it begins, H:i. */
type Names = Pick<PlanOptions, 'customers' | 'region'> & { start: string };

/** A link to an appointment, drawn where it lies; with a mouse it can be moved while it is to come about. */
export function appointmentTile(
  appointment: DayAppointment,
  lane: Lane,
  { key, range }: PlanColumn,
  { customers, region, canBook }: Pick<PlanOptions, 'customers' | 'region' | 'canBook'>,
): Html | null {
  const stretch = stretchOf(appointment);
  const place = placeOf(stretch, range);
  if (!place) return null;
  const { id, status } = appointment;
  const { x, width } = acrossOf(lane);
  const names = { region, customers, start: clockTimeIn(region.zone, appointment.starts_at) };
  const isMovable = canBook && status === 'scheduled' && stretch.start >= range.start;
  const data = isMovable && moveData(appointment, names);
  const words = appointmentWords(appointment, names, names.start);
  // A title is a link's name within SVG. Its text is HTML, which ends in an ellipsis where there is no room.
  return html`<a id="${key}-${id}"
href="${appointmentAddress(id)}" class="appointment ${status}"${data}><title>${words}</title>
<svg x="${x}%" y="${place.top}" width="${width}%" height="${place.height}">
<rect class="box" width="100%" height="100%"/><rect class="edge" width="4" height="100%"/>
${lines(appointment, place.height, names)}</svg></a>`;
}

/** What calendar.js asks about a move, and sends. */
const moveData = (
  { version, customer_id, service_name }: DayAppointment,
  { region, customers, start }: Names,
): Html =>
  html` data-version="${version}" data-time="${start}" data-clock="${clockText(region, start)}"
data-what="${customerName(customers, customer_id)}, ${service_name}"`;

function lines(
  appointment: DayAppointment,
  height: number,
  { region, customers, start }: Names,
): Html | false {
  const { customer_id, service_name, status } = appointment;
  const who = `${shortClockText(region, start)} ${customerName(customers, customer_id)}`;
  const state = status === 'scheduled' ? '' : STATUS_WORDS[status];
  const rest = [service_name, state].filter((text) => text !== '');
  if (height < ONE_LINE) return false;
  const mark = marks(appointment);
  if (height < TWO_LINES) return text([`${who} · ${rest.join(' · ')}`], mark);
  if (height < THREE_LINES || state === '') return text([who, rest.join(' · ')], mark);
  return text([who, service_name, state], mark);
}

const text = ([first, ...others]: string[], mark: Html): Html =>
  html`<foreignObject width="100%" height="100%" aria-hidden="true"><span class="tile${others.length === 0 && ' one'}">
<b><span>${first}</span>${mark}</b>${others.map((line) => html`<span>${line}</span>`)}</span></foreignObject>`;

/** That the customer has arrived, and that there is something to read about it. */
export const marks = (appointment: DayAppointment): Html =>
  html`${arrivalMark(appointment)}${Boolean(appointment.notes_excerpt) && html`<span class="note-mark"></span>`}`;
