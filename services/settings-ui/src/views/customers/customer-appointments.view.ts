import type { Appointment } from '@frontdesk/contracts';
import { appointmentAddress } from '../../domain/appointments/appointment-address.ts';
import { bookingAddress } from '../../domain/appointments/booking-query.ts';
import { type CustomerQuery, customerAddress } from '../../domain/customers/customers-query.ts';
import { dateIn } from '../../domain/shared/dates.ts';
import { moneyText } from '../../domain/shared/words.ts';
import { APPOINTMENTS_PER_PAGE } from '../../use-cases/load-customer.ts';
import { STATUS_TONES, STATUS_WORDS, span } from '../appointments/appointment-words.ts';
import { type Html, html } from '../shared/html.ts';
import { hasMore, numberedPager } from '../shared/pager.view.ts';
import { badge, unavailable } from '../shared/parts.ts';
import { dayIn } from '../shared/times.ts';
import type { CustomerPage } from './customer-page.ts';

/** What is coming, the next one first; then what was or has been cancelled, the latest first. */
export function appointmentsCard(page: CustomerPage): Html {
  const { coming, past } = page;
  const hasNone = coming?.total === 0 && past?.total === 0;
  return html`<section class="card" id="visits" aria-labelledby="visits-title"><h2 id="visits-title">Appointments</h2>
${hasNone ? nothing(page) : html`${coming?.total !== 0 && comingList(page)}${past?.total !== 0 && pastList(page)}`}</section>`;
}

const nothing = ({ customer }: CustomerPage): Html =>
  html`<p class="empty">No appointments yet. <a href="${bookingAddress({ customer_id: customer.id })}">Book the first one</a></p>`;

function comingList(page: CustomerPage): Html {
  const { coming, query } = page;
  if (coming === null) return unavailable('The coming appointments');
  return html`<h3>Coming</h3>${table(coming.rows, page)}
${numberedPager({
  ...{ of: 'coming appointments', names: { back: 'Earlier appointments', on: 'Later appointments' } },
  ...{ page: query.coming, goesOn: hasMore(coming, query.coming, APPOINTMENTS_PER_PAGE) },
  hrefOf: (to) => addressOf(page, { coming: to }),
})}`;
}

function pastList(page: CustomerPage): Html {
  const { past, query } = page;
  if (past === null) return unavailable('The past and cancelled appointments');
  return html`<h3>Past and cancelled</h3>${table(past.rows, page, { isPast: true })}
${numberedPager({
  ...{
    of: 'past and cancelled appointments',
    names: { back: 'Newer appointments', on: 'Older appointments' },
  },
  ...{ page: query.visits, goesOn: hasMore(past, query.visits, APPOINTMENTS_PER_PAGE) },
  hrefOf: (to) => addressOf(page, { visits: to }),
})}`;
}

const addressOf = ({ customer, query }: CustomerPage, pages: Partial<CustomerQuery>): string =>
  `${customerAddress(customer.id, { ...query, ...pages })}#visits`;

const table = (appointments: Appointment[], page: CustomerPage, { isPast = false } = {}): Html =>
  appointments.length === 0
    ? html`<p class="empty">There are no more.</p>`
    : html`<table class="list compact"><thead><tr><th scope="col">When</th><th scope="col">What</th><th scope="col">Status</th><th scope="col">Price</th>${isPast && html`<th scope="col"><span class="for-reader">Actions</span></th>`}</tr></thead>
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
