import type { Day, DayAppointment, DayHold } from '@frontdesk/contracts';
import { appointmentsOn, holdsOf, stretchOf } from '../booking/day-plot.rules.ts';
import { appointmentAddress } from '../records/addresses.rules.ts';
import { appointmentWords, customerName } from '../records/appointment-words.view.ts';
import { dayAddress, weekAddress } from '../records/day-query.rules.ts';
import type { DayPerson } from '../records/person.rules.ts';
import { face, inColorOf, personOf } from '../records/person.view.ts';
import { clockIn, clockText, clockTimeIn, dateIn, longDate, weekdayAndDay } from '../region/dates.rules.ts';
import type { Region } from '../region/region.rules.ts';
import { countText } from '../region/words.rules.ts';
import { type Html, html } from '../ui/html.ts';
import { marks } from './appointment-tile.view.ts';
import { bookLink } from './book-link.view.ts';
import { heldUntil, holdWords } from './hold.view.ts';
import { columnOf } from './people.rules.ts';
import { columnName, hoursWords } from './plan.view.ts';

interface TableOptions {
  region: Region;
  customers: ReadonlyMap<number, string> | null;
  now: number;
  canBook: boolean;
  business: string;
}

/** What one cell lists; the day has the others. */
const MOST_LISTED = 12;

/** A row for each person, a column for each day. */
export function weekTable(days: readonly Day[], people: readonly DayPerson[], options: TableOptions): Html {
  return html`<div class="week-table" tabindex="0" role="region" aria-label="Week of everybody"><table>
<thead><tr><td></td>${days.map((day) => dayHead(day, options))}</tr></thead>
<tbody>${people.map((person) => personRow(days, person, options))}</tbody></table></div>`;
}

function dayHead({ date }: Day, { region, now }: TableOptions): Html {
  const current = date === dateIn(region.zone, now) && html` aria-current="date"`;
  return html`<th scope="col">
<a href="${dayAddress({ date, cancelled: undefined })}"${current}>${weekdayAndDay(region, date)}</a></th>`;
}

function personRow(days: readonly Day[], person: DayPerson, options: TableOptions): Html {
  const { staff_id } = person;
  const name = columnName(person, options.business);
  const [{ date } = { date: undefined }] = days;
  const shown = staff_id === null ? name : html`<a href="${weekAddress({ date, staff_id })}">${name}</a>`;
  return html`<tr${inColorOf(person)}><th scope="row"><span class="named">${face(personOf(person))}<span>${shown}</span></span></th>${days.map((day) => cell(day, person, name, options))}</tr>\n`;
}

function cell(
  day: Day,
  person: DayPerson,
  name: string,
  { region, customers, now, canBook }: TableOptions,
): Html {
  const { date } = day;
  const column = columnOf(day, person);
  const bookedItem = (appointment: DayAppointment) => {
    const { id, status, starts_at, customer_id } = appointment;
    const start = clockTimeIn(region.zone, starts_at);
    const words = appointmentWords(appointment, { region, customers }, start);
    const shown = html`<span>${clockText(region, start)}</span>${marks(appointment)} ${customerName(customers, customer_id)}`;
    return html`<li><a class="${status}" href="${appointmentAddress(id)}" title="${words}">${shown}</a></li>`;
  };
  const heldItem = (hold: DayHold) =>
    html`<li><p class="held hatched" title="${holdWords(region, hold)}"><span>${clockIn(region, hold.starts_at)}</span>
${heldUntil(region, hold)}, ${hold.service_name}</p></li>`;
  const all = [
    ...appointmentsOn(day, column, false).map((one) => ({ ...stretchOf(one), item: bookedItem(one) })),
    ...holdsOf(column).map((one) => ({ ...stretchOf(one), item: heldItem(one) })),
  ].sort((a, b) => a.start - b.start);
  const more = all.length - MOST_LISTED;
  return html`<td data-label="${weekdayAndDay(region, date)}"${
    column.open.length === 0 && html` class="off"`
  }><div class="week-cell"><span class="hint">${hoursWords(column, region)}</span>
${bookLink(day, column, { canBook, now, whom: `${name} on ${longDate(region, date)}` })}</div>
${all.length > 0 && html`<ul>${all.slice(0, MOST_LISTED).map(({ item }) => item)}</ul>`}
${more > 0 && html`<a href="${dayAddress({ date, cancelled: undefined })}">${countText(region, more)} more</a>`}</td>`;
}
