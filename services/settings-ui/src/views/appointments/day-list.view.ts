import type { Day, DayColumn } from '@frontdesk/contracts';
import { appointmentAddress } from '../../domain/appointments/appointment-address.ts';
import { appointmentsOn } from '../../domain/appointments/day-plot.ts';
import type { Region } from '../../domain/shared/region.ts';
import { type Html, html } from '../shared/html.ts';
import { badge } from '../shared/parts.ts';
import { customerName, STATUS_TONES, STATUS_WORDS, span } from './appointment-words.ts';
import { columnName, hoursWords } from './plan.view.ts';

interface ListOptions {
  day: Day;
  region: Region;
  customers: ReadonlyMap<number, string> | null;
  showsCancelled: boolean;
  business: string;
}

/** The same day to be read from top to bottom. */
export const dayList = (options: ListOptions): Html =>
  html`<details class="day-list"><summary>The day as a list</summary>
${options.day.columns.map((column) => columnList(column, options))}</details>`;

function columnList(
  column: DayColumn,
  { day, region, customers, showsCancelled, business }: ListOptions,
): Html {
  const appointments = appointmentsOn(day, column, showsCancelled);
  return html`<h3>${columnName(column, business)}</h3><p class="hint">${hoursWords(column, region)}</p>
${
  appointments.length === 0
    ? html`<p>No appointments.</p>`
    : html`<table class="list"><thead><tr><th scope="col">Time</th><th scope="col">Customer</th><th scope="col">Service</th><th scope="col">Status</th></tr></thead>
<tbody>${appointments.map(
        (appointment) => html`<tr><td data-label="Time">${span(region, appointment)}</td>
<th scope="row" data-label="Customer"><a href="${appointmentAddress(appointment.id)}">${customerName(customers, appointment.customer_id)}</a></th>
<td data-label="Service">${appointment.service_name}</td>
<td data-label="Status">${badge(STATUS_TONES[appointment.status], STATUS_WORDS[appointment.status])}</td></tr>`,
      )}</tbody></table>`
}`;
}
