import type { Appointment } from '@frontdesk/contracts';
import { appointmentAddress } from '../records/addresses.rules.ts';
import { STATUS_TONES, STATUS_WORDS, span } from '../records/appointment-words.view.ts';
import { BOOKING, bookingAddress } from '../records/booking-query.rules.ts';
import { type CustomerQuery, customerAddress } from '../records/customers-query.rules.ts';
import { dateIn } from '../region/dates.rules.ts';
import type { Region } from '../region/region.rules.ts';
import { moneyText } from '../region/words.rules.ts';
import { badge, linkTo, unavailable } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import type { PageContext } from '../ui/page-context.ts';
import { mayUse } from '../ui/page-scopes.rules.ts';
import { hasMore, numberedPager } from '../ui/pager.view.ts';
import { panel } from '../ui/panel.view.ts';
import { table } from '../ui/table.view.ts';
import { dayIn } from '../ui/times.view.ts';
import { APPOINTMENTS_PER_PAGE, type CustomerPage } from './load-customer.ts';

/** What is coming, the next one first; then what was or has been cancelled, the latest first. */
export function appointmentsCard(context: PageContext, page: CustomerPage): Html {
  const { coming, past } = page;
  const hasNone = coming?.total === 0 && past?.total === 0;
  return panel({
    id: 'visits',
    isPlace: true,
    title: 'Appointments',
    body: html`${
      hasNone
        ? nothing(context, page)
        : html`${coming?.total !== 0 && comingList(page)}${past?.total !== 0 && pastList(context, page)}`
    }`,
  });
}

const nothing = (context: PageContext, { customer }: CustomerPage): Html =>
  html`<p class="empty">No appointments yet.
${linkTo(context, bookingAddress({ customer_id: customer.id }), 'Book the first one')}</p>`;

function comingList(page: CustomerPage): Html {
  const { coming, query } = page;
  if (coming === null) return unavailable('The upcoming appointments');
  return html`<h3>Upcoming</h3>${appointmentTable(coming.rows, page)}
${numberedPager({
  of: 'upcoming appointments',
  names: { back: 'Earlier appointments', on: 'Later appointments' },
  page: query.coming,
  goesOn: hasMore(coming, query.coming, APPOINTMENTS_PER_PAGE),
  hrefOf: (to) => addressOf(page, { coming: to }),
})}`;
}

function pastList(context: PageContext, page: CustomerPage): Html {
  const { past, query } = page;
  if (past === null) return unavailable('The past appointments');
  return html`<h3>Past</h3>${appointmentTable(past.rows, page, {
    mayRepeat: mayUse(context, 'GET', BOOKING),
  })}
${numberedPager({
  of: 'past appointments',
  names: { back: 'Newer appointments', on: 'Older appointments' },
  page: query.visits,
  goesOn: hasMore(past, query.visits, APPOINTMENTS_PER_PAGE),
  hrefOf: (to) => addressOf(page, { visits: to }),
})}`;
}

const addressOf = ({ customer, query }: CustomerPage, pages: Partial<CustomerQuery>): string =>
  `${customerAddress(customer.id, { ...query, ...pages })}#visits`;

/** Appointments, without whose they are. `isBrief`: beside something else. `mayRepeat`: each can be booked again. */
export function appointmentTable(
  appointments: Appointment[],
  { region, services, staff }: Pick<CustomerPage, 'region' | 'services' | 'staff'>,
  { isBrief = false, mayRepeat = false } = {},
): Html {
  if (appointments.length === 0) return html`<p class="empty">There are no more.</p>`;
  return table({
    rows: appointments,
    isCompact: true,
    columns: [
      {
        name: 'When',
        isName: true,
        cell: (appointment) =>
          html`<div><a href="${appointmentAddress(appointment.id)}">${dayIn(region, dayOf(region, appointment))}</a><span
class="hint">${span(region, appointment)}</span></div>`,
      },
      {
        name: 'What',
        cell: ({ service_id, staff_id }) =>
          html`<div>${services.get(service_id) ?? `Service ${service_id}`}${
            staff_id !== null &&
            html`<span class="hint">with ${staff.get(staff_id) ?? `staff member ${staff_id}`}</span>`
          }</div>`,
      },
      { name: 'Status', cell: ({ status }) => badge(STATUS_TONES[status], STATUS_WORDS[status]) },
      !isBrief && {
        name: 'Price',
        cell: ({ price, currency }) => html`<span class="money">${moneyText(region, price, currency)}</span>`,
      },
    ],
    buttons: mayRepeat && {
      name: 'Actions',
      cell: ({ customer_id, service_id, staff_id, ...appointment }) =>
        html`<a class="button quiet" href="${bookingAddress({
          customer_id,
          service_id,
          staff_id: staff_id ?? undefined,
        })}">Book again<span class="for-reader">: what was on ${dayOf(region, appointment)}</span></a>`,
    },
  });
}

const dayOf = ({ zone }: Region, { starts_at }: Pick<Appointment, 'starts_at'>) => dateIn(zone, starts_at);
