import type { Appointment } from '@frontdesk/contracts';
import type { ListPage } from '@frontdesk/service';
import { appointmentAddress } from '../../domain/appointments/appointment-address.ts';
import { bookingAddress } from '../../domain/appointments/booking-query.ts';
import { customerAddress } from '../../domain/customers/customers-query.ts';
import { dateIn } from '../../domain/shared/dates.ts';
import { moneyText } from '../../domain/shared/words.ts';
import { APPOINTMENTS_PER_PAGE } from '../../use-cases/load-customer.ts';
import { STATUS_TONES, STATUS_WORDS, span } from '../appointments/appointment-words.ts';
import { type Html, html } from '../shared/html.ts';
import { hasMore, numberedPager } from '../shared/pager.view.ts';
import { badge, unavailable } from '../shared/parts.ts';
import { dayIn } from '../shared/times.ts';
import type { CustomerPage } from './customer-page.ts';

/** What is coming, the next one first, and what was, the latest first. */
export function appointmentsCard(page: CustomerPage): Html {
  const { appointments } = page;
  return html`<section class="card" id="visits" aria-labelledby="visits-title"><h2 id="visits-title">Appointments</h2>
${appointments === null ? unavailable('The appointments') : appointments.rows.length === 0 ? nothing(page) : lists(appointments, page)}</section>`;
}

const nothing = ({ customer, query }: CustomerPage): Html =>
  query.visits === undefined
    ? html`<p class="empty">No appointments yet. <a href="${bookingAddress({ customer_id: customer.id })}">Book the first one</a></p>`
    : html`<p class="empty">There are no older appointments. <a href="${customerAddress(customer.id)}#visits">Show the latest</a></p>`;

function lists(appointments: ListPage<Appointment[]>, page: CustomerPage): Html {
  const { query, customer, now } = page;
  const isComing = ({ starts_at }: Appointment) => Date.parse(starts_at) >= now;
  const [coming, past] = [
    appointments.rows.filter(isComing).reverse(),
    appointments.rows.filter((one) => !isComing(one)),
  ];
  return html`${coming.length > 0 && html`<h3>Coming</h3>${table(coming, page)}`}
${past.length > 0 && html`<h3>Past</h3>${table(past, page, { isPast: true })}`}
${numberedPager({
  ...{ of: 'appointments', names: { back: 'Newer appointments', on: 'Older appointments' } },
  ...{ page: query.visits, goesOn: hasMore(appointments, query.visits, APPOINTMENTS_PER_PAGE) },
  hrefOf: (to) => `${customerAddress(customer.id, { ...query, visits: to })}#visits`,
})}`;
}

const table = (appointments: Appointment[], page: CustomerPage, { isPast = false } = {}): Html =>
  html`<table class="list compact"><thead><tr><th scope="col">When</th><th scope="col">What</th><th scope="col">Status</th><th scope="col">Price</th>${isPast && html`<th scope="col"><span class="for-reader">Actions</span></th>`}</tr></thead>
<tbody>${appointments.map((appointment) => row(appointment, page, isPast))}</tbody></table>`;

function row(
  appointment: Appointment,
  { region, services, staff, customer }: CustomerPage,
  isPast: boolean,
): Html {
  const { id, status, service_id, staff_id, price, currency } = appointment;
  const date = dateIn(region.zone, appointment.starts_at);
  return html`<tr><th scope="row" data-label="When"><div><a href="${appointmentAddress(id)}">${dayIn(region, date)}</a><span class="hint">${span(region, appointment)}</span></div></th>
<td data-label="What"><div>${services.get(service_id) ?? `Service ${service_id}`}${staff_id !== null && html`<span class="hint">with ${staff.get(staff_id) ?? `staff member ${staff_id}`}</span>`}</div></td>
<td data-label="Status">${badge(STATUS_TONES[status], STATUS_WORDS[status])}</td>
<td data-label="Price">${moneyText(region, price, currency)}</td>
${isPast && html`<td class="actions"><a class="button quiet" href="${bookingAddress({ customer_id: customer.id, service_id, staff_id: staff_id ?? undefined })}">Book again<span class="for-reader">: what was on ${date}</span></a></td>`}</tr>`;
}
