import type { Appointment } from '@frontdesk/contracts';
import type { ListPage } from '@frontdesk/service';
import { noShowsBadge } from '../records/appointment-words.view.ts';
import { emailLink } from '../records/customer-words.view.ts';
import { customerAddress } from '../records/customers-query.rules.ts';
import type { Region } from '../region/region.rules.ts';
import { unavailable } from '../ui/controls.view.ts';
import { type Html, html, type Renderable } from '../ui/html.ts';
import { panel } from '../ui/panel.view.ts';
import { phoneLink } from '../ui/phone-link.view.ts';
import { appointmentTable } from './customer-appointments.view.ts';
import { callTable } from './customer-calls.view.ts';
import { type CustomerSummary, MOST_IN_SUMMARY } from './load-customer.ts';

interface SummaryCard {
  customerSummary: CustomerSummary;
  region: Region;
  /** The appointment that is shown beside it. */
  besideId?: number;
  /** Further lines of what is known. */
  more?: Renderable;
}

/** Who it is, beside what is done for them: number, notes, and a few of the appointments and calls, with the way to all. */
export function customerSummaryCard({ customerSummary, region, besideId, more }: SummaryCard): Html {
  const { id, customer, coming, past, calls, noShows } = customerSummary;
  const list = (title: string, page: ListPage<Appointment[]> | null) => {
    if (page === null) return html`<h3>${title}</h3>${unavailable('The appointments')}`;
    const rows = page.rows.filter((appointment) => appointment.id !== besideId).slice(0, MOST_IN_SUMMARY);
    return (
      rows.length > 0 &&
      html`<h3>${title}</h3>${appointmentTable(rows, { region, ...customerSummary }, { isBrief: true })}`
    );
  };
  const upcoming = list('Upcoming', coming);
  const earlier = list('Past', past);
  return panel({
    id: 'about',
    title: 'Customer',
    body: html`<dl class="contact"><dt>Name</dt>
<dd><a href="${customerAddress(id)}">${customer?.name ?? `Customer ${id}`}</a>${noShowsBadge(noShows)}</dd>
${
  customer &&
  html`<dt>Phone</dt><dd>${phoneLink(region, customer.phone)}</dd>
${customer.email !== null && html`<dt>Email</dt><dd>${emailLink(customer.email)}</dd>`}
${customer.notes && html`<dt>Notes</dt><dd class="as-typed">${customer.notes}</dd>`}`
}${more}</dl>
${customer === null && unavailable('The customer’s details')}
${upcoming}${earlier}
${!upcoming && !earlier && html`<p class="hint">${besideId === undefined ? 'No appointments yet.' : 'No other appointments.'}</p>`}
${
  calls === null
    ? html`<h3>Calls</h3>${unavailable('The calls')}`
    : calls.rows.length > 0 && html`<h3>Calls</h3>${callTable(calls.rows, region, { isBrief: true })}`
}
<p><a href="${customerAddress(id)}#visits">All appointments and calls</a></p>`,
  });
}
