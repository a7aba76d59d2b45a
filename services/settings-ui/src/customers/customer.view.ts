import type { Customer } from '@frontdesk/contracts';
import { noShowsBadge } from '../records/appointment-words.view.ts';
import { bookingAddress } from '../records/booking-query.rules.ts';
import { emailLink, segmentBadge, sourceWords } from '../records/customer-words.view.ts';
import { CUSTOMERS, customerAddress, mergeAddress } from '../records/customers-query.rules.ts';
import { deliveriesAddress } from '../records/delivery-filter.rules.ts';
import { dateIn } from '../region/dates.rules.ts';
import type { Region } from '../region/region.rules.ts';
import { countText, moneyText } from '../region/words.rules.ts';
import { linkTo } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import { layout } from '../ui/layout.view.ts';
import type { PageContext } from '../ui/page-context.ts';
import { mayUse } from '../ui/page-scopes.rules.ts';
import { panel } from '../ui/panel.view.ts';
import { phoneLink } from '../ui/phone-link.view.ts';
import { dayIn, timeIn } from '../ui/times.view.ts';
import { appointmentsCard } from './customer-appointments.view.ts';
import { callsCard } from './customer-calls.view.ts';
import type { CustomerPage } from './load-customer.ts';

export const customerPage = (context: PageContext, page: CustomerPage): string => {
  const { customer } = page;
  const { id, name, segment, pipeline_stage: stage } = customer;
  return layout(context, {
    title: name,
    at: CUSTOMERS,
    lead: html`<a href="${CUSTOMERS}">All customers</a>`,
    body: html`<div class="customer-bar">${segmentBadge(segment)}${noShowsBadge(page.noShows)}${stage && html`<span class="badge long">${stage}</span>`}
<div class="actions">${linkTo(context, `${customerAddress(id)}/edit`, 'Edit', 'button')}
${linkTo(context, bookingAddress({ customer_id: id }), 'Book appointment', 'button primary')}</div></div>
<div class="customer"><div class="stack">${contactCard(context, page)}${notesCard(context, customer)}</div>
<div class="stack">${appointmentsCard(context, page)}${callsCard(page)}${
      mayUse(context, 'GET', deliveriesAddress({})) && webhooksCard(page)
    }</div></div>`,
  });
};

const contactCard = (context: PageContext, { customer, region }: CustomerPage): Html =>
  panel({
    id: 'contact',
    title: 'Contact',
    body: html`<dl class="contact"><dt>Phone</dt><dd>${phoneLink(region, customer.phone)}</dd>
<dt>Email</dt><dd>${customer.email === null ? html`<span class="hint">None</span>` : emailLink(customer.email)}</dd>
<dt>Added</dt><dd>${timeIn(region, customer.created_at)}<span class="hint">${sourceWords(customer.source)}</span></dd>
${
  customer.updated_at !== customer.created_at &&
  html`<dt>Changed</dt><dd>${timeIn(region, customer.updated_at)}</dd>`
}</dl>
${figures(customer, region)}
<p class="actions">${linkTo(context, mergeAddress(customer.id), 'Merge with another customer')}</p>`,
  });

const figures = (
  { total_appointments, total_spent, currency, last_visit_date }: Customer,
  region: Region,
): Html =>
  html`<dl class="figures"><div><dt>Appointments</dt><dd>${countText(region, total_appointments)}</dd></div>
<div><dt>Spent</dt><dd>${moneyText(region, total_spent, currency)}</dd></div>
<div><dt>Last appointment</dt>
<dd>${last_visit_date === null ? 'Never' : dayIn(region, last_visit_date)}</dd></div></dl>`;

const notesCard = (context: PageContext, { id, notes }: Customer): Html =>
  panel({
    id: 'notes',
    title: 'Notes',
    body: html`${
      notes
        ? html`<div class="as-typed">${notes}</div>`
        : html`<p class="hint">None yet. ${linkTo(context, `${customerAddress(id)}/edit`, 'Add a note')}</p>`
    }`,
  });

interface SentEvent {
  event: string;
  what: string;
  at: string;
}

/**
 * Where the delivery log has what was sent about the customer. The log knows the event and the day, not the customer:
 * no index leads from a record to its events.
 */
const webhooksCard = (page: CustomerPage): Html =>
  panel({
    id: 'webhooks',
    title: 'Sent to connected systems',
    body: html`<p>Each link opens the delivery log on that day.</p>
<ul class="sent-events">${sentEvents(page).map(({ event, what, at }) => {
      const day = dateIn(page.region.zone, at);
      const log = deliveriesAddress({ event, from: day, to: day });
      return html`<li>
<a href="${log}">${what}</a><span class="hint">${timeIn(page.region, at)}</span></li>`;
    })}</ul>`,
  });

function sentEvents({ customer, coming, past, calls }: CustomerPage): SentEvent[] {
  const [call] = calls?.rows ?? [];
  const booked = [...(coming?.rows ?? []), ...(past?.rows ?? [])].toSorted((a, b) => a.id - b.id).at(-1);
  const sent: (SentEvent | false | undefined)[] = [
    { event: 'customer.created', what: 'Added', at: customer.created_at },
    customer.updated_at !== customer.created_at && {
      event: 'customer.updated',
      what: 'Last changed',
      at: customer.updated_at,
    },
    booked && { event: 'appointment.created', what: 'Latest booking', at: booked.created_at },
    call && { event: 'call.ended', what: 'Latest call', at: call.ended_at },
  ];
  return sent.filter((one) => typeof one === 'object');
}
