import type { Day, DayAppointment } from '@frontdesk/contracts';
import { hasAhead } from '../../domain/booking-grid.ts';
import { bookingAddress } from '../../domain/booking-query.ts';
import { clockIn, dateIn, longDate, weekdayAndDay } from '../../domain/dates.ts';
import { appointmentsOn } from '../../domain/day-plot.ts';
import { dayAddress, weekAddress } from '../../domain/day-query.ts';
import { columnOf, type Person } from '../../domain/people.ts';
import { type Html, html } from '../shared/html.ts';
import { appointmentAddress, appointmentWords, customerName } from './appointment-words.ts';
import { bookLink } from './book-link.view.ts';
import { columnName, hoursWords } from './plan.view.ts';

interface TableOptions {
  customers: ReadonlyMap<number, string> | null;
  now: number;
  canBook: boolean;
  business: string;
}

/** What one cell lists; the day has the others. */
const MOST_LISTED = 12;

/** A row for each person, a column for each day. */
export function weekTable(days: readonly Day[], people: readonly Person[], options: TableOptions): Html {
  return html`<div class="week-table" tabindex="0" role="region" aria-label="Week of everybody"><table>
<thead><tr><td></td>${days.map((day) => dayHead(day, options.now))}</tr></thead>
<tbody>${people.map((person) => personRow(days, person, options))}</tbody></table></div>`;
}

function dayHead(day: Day, now: number): Html {
  const { date, timezone } = day;
  const isToday = date === dateIn(timezone, now);
  return html`<th scope="col"><a href="${dayAddress({ date, cancelled: undefined })}"${isToday && html` aria-current="date"`}>${weekdayAndDay(date)}</a></th>`;
}

function personRow(days: readonly Day[], person: Person, options: TableOptions): Html {
  const { staff_id } = person;
  const name = columnName(person, options.business);
  const [{ date } = { date: undefined }] = days;
  const shown = staff_id === null ? name : html`<a href="${weekAddress({ date, staff_id })}">${name}</a>`;
  return html`<tr><th scope="row">${shown}</th>${days.map((day) => cell(day, person, name, options))}</tr>\n`;
}

function cell(day: Day, person: Person, name: string, { customers, now, canBook }: TableOptions): Html {
  const { date, timezone: zone } = day;
  const column = columnOf(day, person);
  const all = appointmentsOn(day, column, false);
  const more = all.length - MOST_LISTED;
  const item = (appointment: DayAppointment) => {
    const { id, status, starts_at, customer_id } = appointment;
    const words = appointmentWords(appointment, { zone, customers });
    return html`<li><a class="${status}" href="${appointmentAddress(id)}" title="${words}"><span>${clockIn(zone, starts_at)}</span> ${customerName(customers, customer_id)}</a></li>`;
  };
  const href = bookingAddress({ date, staff_id: person.staff_id ?? undefined });
  return html`<td${column.open.length === 0 && html` class="off"`}><div class="week-cell"><span class="hint">${hoursWords(column, zone)}</span>
${canBook && hasAhead(day, column, now) && bookLink(href, `${name} on ${longDate(date)}`)}</div>
${all.length > 0 && html`<ul>${all.slice(0, MOST_LISTED).map(item)}</ul>`}
${more > 0 && html`<a href="${dayAddress({ date, cancelled: undefined })}">${more} more</a>`}</td>`;
}
