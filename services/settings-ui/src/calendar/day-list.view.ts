import type { Day, DayAppointment, DayColumn, DayHold, DayTimeOff } from '@frontdesk/contracts';
import { bookingGrid, freeStretches, type GridStart } from '../booking/booking-grid.rules.ts';
import { appointmentsOn, holdsOf, stretchOf } from '../booking/day-plot.rules.ts';
import { appointmentAddress } from '../records/addresses.rules.ts';
import { customerName, noShowsBadge, span, stateBadge } from '../records/appointment-words.view.ts';
import { arrivedAt } from '../records/arrival.rules.ts';
import { bookingAddress } from '../records/booking-query.rules.ts';
import { inColorOf } from '../records/person.view.ts';
import { clockTimeIn, spanText } from '../region/dates.rules.ts';
import type { Region } from '../region/region.rules.ts';
import { type Html, html, type Renderable } from '../ui/html.ts';
import { phoneLink } from '../ui/phone-link.view.ts';
import { heldUntil } from './hold.view.ts';
import type { LoadedDays } from './load-days.ts';
import { timeOffLink } from './time-off.view.ts';

/** Somebody's day, to be read from top to bottom. */
export interface DayListPart {
  /** Begins the ids of what it lists. */
  key: string;
  day: Day;
  column: DayColumn;
  /** The name of whose day it is. */
  who: string;
  /** What tells it from the others, and leads to more of it. */
  title: Renderable;
  /** Links to booking and blocking it. */
  links: Renderable;
  hours: string;
}

interface DayListOptions {
  region: Region;
  customers: ReadonlyMap<number, string> | null;
  phones: LoadedDays['phones'];
  showsCancelled: boolean;
  now: number;
  canBook: boolean;
  /** It is printed in place of the plan. */
  isPrinted: boolean;
}

/** The lines that one sheet of paper takes in a column: at full size, and smaller. print.css draws them so. */
const PRINTED_LINES = [40, 52, 64, 84, 105];
/** Beyond so many there are two columns. */
const MOST_IN_ONE_COLUMN = 52;
/** Characters of notes in a printed line. */
const NOTES_IN_LINE = 55;
/** The lines of a name. */
const HEAD_LINES = 2;

/** In place of the plan on phones and on paper; on desks below it, once it is opened. */
export function dayList(parts: readonly DayListPart[], options: DayListOptions): Html {
  const grids = new Map<string, GridStart[]>();
  const gridOf = (day: Day) => grids.getOrInsertComputed(day.date, () => bookingGrid(day, stretchOf(day)));
  const lists = parts.map((part): List => {
    const entries = entriesOf(part, { ...options, gridOf });
    return { part, entries, lines: entries.reduce((sum, { printed }) => sum + printed, HEAD_LINES) };
  });
  const columns = columnsOf(lists);
  const most = Math.max(...columns.map(linesOf));
  const size = PRINTED_LINES.find((lines) => most <= lines) ?? PRINTED_LINES.at(-1);
  return html`<div class="day-list${options.isPrinted && ` printed lines-${size}`}">
${columns.map((column) => html`<div class="day-list-column">${column.map(section)}</div>`)}</div>`;
}

interface List {
  part: DayListPart;
  entries: Entry[];
  /** Of paper. */
  lines: number;
}

const linesOf = (lists: readonly List[]) => lists.reduce((sum, { lines }) => sum + lines, 0);

/** One column, or two of about the same length. */
function columnsOf(lists: readonly List[]): (readonly List[])[] {
  const all = linesOf(lists);
  if (all <= MOST_IN_ONE_COLUMN || lists.length < 2) return [lists];
  const half = lists.findIndex((_, index) => linesOf(lists.slice(0, index + 1)) >= all / 2);
  const first = Math.min(half + 1, lists.length - 1);
  return [lists.slice(0, first), lists.slice(first)];
}

function section({ part: { key, column, title, hours, links }, entries }: List): Html {
  const isEmpty = entries.every(({ kind }) => kind === 'free');
  return html`<section aria-labelledby="${key}-name"${inColorOf(column)}><div class="day-list-head"><h3 id="${key}-name">${title}</h3>
<span class="hint">${hours}</span>${links}</div>
${isEmpty && html`<p class="none">No appointments.</p>`}
${entries.length > 0 && html`<ul>${entries.map(({ line }) => line)}</ul>`}</section>`;
}

/** Opens the list on desks, where the plan shows the same: it stands above the plan. */
export const listToggle = (summary: string): Html =>
  html`<details class="list-toggle"><summary>${summary}</summary></details>`;

interface Entry {
  kind: 'appointment' | 'hold' | 'time_off' | 'free';
  start: number;
  line: Html;
  /** How many lines of paper it takes. */
  printed: number;
}

interface EntryOptions extends DayListOptions {
  gridOf: (day: Day) => GridStart[];
}

function entriesOf(part: DayListPart, options: EntryOptions): Entry[] {
  const { day, column } = part;
  const booked = appointmentsOn(day, column, options.showsCancelled).map((one): Entry => {
    const notes = Math.ceil((one.notes_excerpt?.length ?? 0) / NOTES_IN_LINE);
    return {
      kind: 'appointment',
      start: at(one),
      line: appointmentLine(one, part, options),
      printed: 1 + notes,
    };
  });
  const held = holdsOf(column).map((one): Entry => {
    return { kind: 'hold', start: at(one), line: holdLine(one, part, options), printed: 1 };
  });
  const timeOff = column.time_off.map((one): Entry => {
    return { kind: 'time_off', start: at(one), line: timeOffLine(one, part, options), printed: 1 };
  });
  const free = options.canBook ? freeEntries(part, options) : [];
  return [...booked, ...held, ...timeOff, ...free].sort((a, b) => a.start - b.start);
}

const at = (stretch: { starts_at: string; ends_at: string }) => stretchOf(stretch).start;

function appointmentLine(
  appointment: DayAppointment,
  { key }: DayListPart,
  { region, customers, phones }: DayListOptions,
): Html {
  const { id, status, customer_id, service_name, notes_excerpt } = appointment;
  const phone = phones.get(customer_id);
  return html`<li id="${key}-l${id}" class="${status}"><a class="entry" href="${appointmentAddress(id)}">
<span class="time">${span(region, appointment)}</span>
<strong>${customerName(customers, customer_id)}</strong>${noShowsBadge(appointment.customer_no_shows)} <span class="what">${service_name}</span></a>
${phone !== undefined && phoneLink(region, phone)}
${(status !== 'scheduled' || arrivedAt(appointment) !== null) && stateBadge(region, appointment)}
${notes_excerpt && html`<p class="note">${notes_excerpt}</p>`}</li>`;
}

const holdLine = (hold: DayHold, { key }: DayListPart, { region }: DayListOptions): Html =>
  html`<li id="${key}-l-held${hold.id}" class="held hatched"><p class="entry"><span class="time">${span(region, hold)}</span>
<strong>${heldUntil(region, hold)}</strong> <span class="what">${hold.service_name}</span></p></li>`;

function timeOffLine(
  timeOff: DayTimeOff,
  { key, day, column, who }: DayListPart,
  options: DayListOptions,
): Html {
  const words = html`<span class="time">${span(options.region, timeOff)}</span>
<span>${timeOff.note ?? 'Time off'}</span>`;
  const link = timeOffLink(timeOff, day, column, { ...options, who });
  const line = link ? html`<a class="entry"${link}>${words}</a>` : html`<p class="entry">${words}</p>`;
  return html`<li id="${key}-l-off${timeOff.entry?.id}" class="away">${line}</li>`;
}

/** What can still be booked, from the first time at which a booking may begin. */
function freeEntries({ key, day, column }: DayListPart, { region, now, gridOf }: EntryOptions): Entry[] {
  return freeStretches(column, now).flatMap((free) => {
    const start = gridOf(day).find(({ at }) => free.start <= at && at < free.end);
    if (!start) return [];
    const end = free.end === stretchOf(day).end ? '24:00' : clockTimeIn(region.zone, free.end);
    const href = bookingAddress({ date: day.date, time: start.time, staff_id: column.staff_id ?? undefined });
    const line = html`<li id="${key}-l-free${start.time}" class="open"><a class="entry" href="${href}">
<span class="time">${spanText(region, start.time, end)}</span> <span>Free</span></a></li>`;
    return [{ kind: 'free', start: start.at, line, printed: 0 }];
  });
}
