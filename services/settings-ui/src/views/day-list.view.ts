import type { Day, DayColumn } from '@frontdesk/contracts';
import { visitsOn } from '../domain/day-plot.ts';
import { columnName, hoursWords } from './day-plan.view.ts';
import { type Html, html } from './html.ts';
import { badge } from './parts.ts';
import { appointmentAddress, customerName, STATUS_TONES, STATUS_WORDS, span } from './visit-words.ts';

interface ListOptions {
  day: Day;
  customers: ReadonlyMap<number, string> | null;
  showsCancelled: boolean;
  business: string;
}

/** The same day to be read from top to bottom. */
export const dayList = (options: ListOptions): Html =>
  html`<details class="day-list"><summary>The day as a list</summary>
${options.day.columns.map((column) => columnList(column, options))}</details>`;

function columnList(column: DayColumn, { day, customers, showsCancelled, business }: ListOptions): Html {
  const { timezone: zone } = day;
  const visits = visitsOn(day, column, showsCancelled);
  return html`<h3>${columnName(column, business)}</h3><p class="hint">${hoursWords(column, zone)}</p>
${
  visits.length === 0
    ? html`<p>No appointments.</p>`
    : html`<table class="list"><thead><tr><th scope="col">Time</th><th scope="col">Customer</th><th scope="col">Service</th><th scope="col">Status</th></tr></thead>
<tbody>${visits.map(
        (visit) => html`<tr><td data-label="Time">${span(zone, visit)}</td>
<th scope="row" data-label="Customer"><a href="${appointmentAddress(visit.id)}">${customerName(customers, visit.customer_id)}</a></th>
<td data-label="Service">${visit.service_name}</td>
<td data-label="Status">${badge(STATUS_TONES[visit.status], STATUS_WORDS[visit.status])}</td></tr>`,
      )}</tbody></table>`
}`;
}
