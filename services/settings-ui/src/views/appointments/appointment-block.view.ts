import type { DayAppointment } from '@frontdesk/contracts';
import { appointmentAddress } from '../../domain/appointments/appointment-address.ts';
import { placeOf, stretchOf } from '../../domain/appointments/day-plot.ts';
import { clockText, clockTimeIn, shortClockText } from '../../domain/shared/dates.ts';
import { type Html, html } from '../shared/html.ts';
import { appointmentWords, customerName, STATUS_WORDS } from './appointment-words.ts';
import type { PlanColumn, PlanOptions } from './plan-options.ts';

/** On either side of what is booked, in percent of the column. */
const MARGIN = 1;
/** Below these heights, in pixels, there is no room for a line, or for a second one. */
const [ONE_LINE, TWO_LINES, THREE_LINES] = [14, 36, 54];

/** `start`: the clock time at which it begins, H:i. */
type Names = Pick<PlanOptions, 'customers' | 'region'> & { start: string };

/** A link to an appointment, drawn where it lies; with a mouse it can be moved while it is to come about. */
export function appointmentBlock(
  appointment: DayAppointment,
  { lane, lanes }: { lane: number; lanes: number },
  { key, range }: PlanColumn,
  { customers, region, canBook }: Pick<PlanOptions, 'customers' | 'region' | 'canBook'>,
): Html | null {
  const stretch = stretchOf(appointment);
  const place = placeOf(stretch, range);
  if (!place) return null;
  const { id, status } = appointment;
  const share = 100 / lanes;
  const names = { region, customers, start: clockTimeIn(region.zone, appointment.starts_at) };
  const isMovable = canBook && status === 'scheduled' && stretch.start >= range.start;
  // A title is a link's name within SVG.
  return html`<a id="${key}-${id}" href="${appointmentAddress(id)}" class="appointment ${status}"${isMovable && moveData(appointment, names)}><title>${appointmentWords(appointment, names, names.start)}</title>
<svg x="${lane * share + MARGIN}%" y="${place.top}" width="${share - 2 * MARGIN}%" height="${place.height}"><rect class="box" width="100%" height="100%"/><rect class="edge" width="4" height="100%"/>
${lines(appointment, place.height, names)}</svg></a>`;
}

/** What calendar.js asks about a move, and sends. */
const moveData = (
  { version, customer_id, service_name }: DayAppointment,
  { region, customers, start }: Names,
): Html =>
  html` data-version="${version}" data-time="${start}" data-clock="${clockText(region, start)}" data-what="${customerName(customers, customer_id)}, ${service_name}"`;

function lines(
  appointment: DayAppointment,
  height: number,
  { region, customers, start }: Names,
): (Html | false)[] {
  const { customer_id, service_name, status } = appointment;
  const who = `${shortClockText(region, start)} ${customerName(customers, customer_id)}`;
  const state = status === 'scheduled' ? '' : STATUS_WORDS[status];
  const rest = [service_name, state].filter((text) => text !== '');
  if (height < ONE_LINE) return [];
  if (height < TWO_LINES) return [line(`${who} · ${rest.join(' · ')}`, Math.min(16, height / 2 + 4), true)];
  if (height < THREE_LINES || state === '') return [line(who, 17, true), line(rest.join(' · '), 33)];
  return [line(who, 17, true), line(service_name, 33), line(state, 49)];
}

const line = (text: string, y: number, isFirst = false): Html =>
  html`<text x="10" y="${y}"${isFirst && html` class="first"`}>${text}</text>`;
