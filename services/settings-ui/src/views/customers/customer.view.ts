import type { Customer } from '@frontdesk/contracts';
import { bookingAddress } from '../../domain/appointments/booking-query.ts';
import { CUSTOMERS, customerAddress } from '../../domain/customers/customers-query.ts';
import type { Region } from '../../domain/shared/region.ts';
import { countText, moneyText } from '../../domain/shared/words.ts';
import { type Html, html } from '../shared/html.ts';
import { layout } from '../shared/layout.ts';
import type { PageContext } from '../shared/page-context.ts';
import { phoneLink } from '../shared/phone-link.ts';
import { dayIn, timeIn } from '../shared/times.ts';
import { appointmentsCard } from './customer-appointments.view.ts';
import { callsCard } from './customer-calls.view.ts';
import type { CustomerPage } from './customer-page.ts';
import { webhooksCard } from './customer-webhooks.view.ts';
import { emailLink, segmentBadge, sourceWords } from './customer-words.ts';

export const customerPage = (context: PageContext, page: CustomerPage): string => {
  const { customer } = page;
  const { id, name, segment, pipeline_stage: stage } = customer;
  return layout(context, {
    title: name,
    at: CUSTOMERS,
    lead: html`<a href="${CUSTOMERS}">All customers</a>`,
    body: html`<div class="customer-bar">${segmentBadge(segment)}${stage && html`<span class="badge">${stage}</span>`}
<div class="actions"><a class="button" href="${customerAddress(id)}/edit">Edit</a><a class="button primary" href="${bookingAddress({ customer_id: id })}">Book appointment</a></div></div>
<div class="customer"><div class="stack">${contactCard(page)}${notesCard(customer)}</div>
<div class="stack">${appointmentsCard(page)}${callsCard(page)}${webhooksCard(page)}</div></div>`,
  });
};

const contactCard = ({ customer, region }: CustomerPage): Html =>
  html`<section class="card" aria-labelledby="contact-title"><h2 id="contact-title">Contact</h2>
<dl class="contact"><dt>Phone</dt><dd>${phoneLink(region, customer.phone)}</dd>
<dt>Email</dt><dd>${customer.email === null ? html`<span class="hint">None</span>` : emailLink(customer.email)}</dd>
<dt>Added</dt><dd>${timeIn(region, customer.created_at)}<span class="hint">${sourceWords(customer.source)}</span></dd>
${customer.updated_at !== customer.created_at && html`<dt>Changed</dt><dd>${timeIn(region, customer.updated_at)}</dd>`}</dl>
${figures(customer, region)}</section>`;

const figures = (
  { total_appointments, total_spent, currency, last_visit_date }: Customer,
  region: Region,
): Html =>
  html`<dl class="figures"><div><dt>Appointments</dt><dd>${countText(region, total_appointments)}</dd></div>
<div><dt>Spent</dt><dd>${moneyText(region, total_spent, currency)}</dd></div>
<div><dt>Last appointment</dt><dd>${last_visit_date === null ? 'Never' : dayIn(region, last_visit_date)}</dd></div></dl>`;

const notesCard = ({ id, notes }: Customer): Html =>
  html`<section class="card" aria-labelledby="notes-title"><h2 id="notes-title">Notes</h2>
${notes ? html`<div class="as-typed">${notes}</div>` : html`<p class="hint">None yet. <a href="${customerAddress(id)}/edit">Add a note</a></p>`}</section>`;
