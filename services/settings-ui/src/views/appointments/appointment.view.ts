import type { NamedCustomer } from '@frontdesk/contracts';
import { dayAddress } from '../../domain/appointments/day-query.ts';
import { dateIn, longDate } from '../../domain/shared/dates.ts';
import type { Region } from '../../domain/shared/region.ts';
import { moneyText, plural } from '../../domain/shared/words.ts';
import { sourceWords } from '../customers/customer-words.ts';
import { type Html, html } from '../shared/html.ts';
import { layout } from '../shared/layout.ts';
import type { PageContext } from '../shared/page-context.ts';
import { badge, refusalMessage } from '../shared/parts.ts';
import { phoneLink } from '../shared/phone-link.ts';
import { timeIn } from '../shared/times.ts';
import { type ActionsOptions, appointmentActions } from './appointment-actions.view.ts';
import { STATUS_TONES, STATUS_WORDS, span } from './appointment-words.ts';

interface AppointmentPage extends ActionsOptions {
  /** Null where crm can't say. */
  customer: NamedCustomer | null;
  /** What was wrong with a change. */
  refusal: string | undefined;
}

export function appointmentPage(context: PageContext, page: AppointmentPage): string {
  const { appointment, customer, region } = page;
  const { id, customer_id, service_name, staff_name, status, duration_minutes } = appointment;
  const { buffer_before_minutes: before, buffer_after_minutes: after } = appointment;
  const date = dateIn(region.zone, appointment.starts_at);
  return layout(context, {
    title: customer?.name ?? `Appointment ${id}`,
    at: '/settings/calendar',
    lead: html`<a href="${dayAddress({ date, cancelled: status === 'cancelled' ? '1' : undefined })}">Back to ${longDate(region, date)}</a>`,
    body: html`${refusalMessage(page.refusal)}
<section class="card" aria-labelledby="what-title"><div class="heading"><h2 id="what-title">${service_name}</h2>${badge(STATUS_TONES[status], STATUS_WORDS[status])}</div>
<dl><dt>When</dt><dd>${longDate(region, date)}, ${span(region, appointment)} <span class="hint">${region.zone}</span></dd>
<dt>Customer</dt><dd>${customerLines(region, customer, customer_id)}</dd>
<dt>With</dt><dd>${staff_name ?? 'Unassigned'}</dd>
<dt>Duration</dt><dd>${plural(region, duration_minutes, 'minute')}${(before > 0 || after > 0) && html` <span class="hint">buffer: ${plural(region, before, 'minute')} before, ${plural(region, after, 'minute')} after</span>`}</dd>
<dt>Price</dt><dd>${moneyText(region, appointment.price, appointment.currency)}</dd>
${appointment.notes && html`<dt>Notes</dt><dd class="as-typed">${appointment.notes}</dd>`}
<dt>Booked</dt><dd>${timeIn(region, appointment.created_at)} <span class="hint">via ${sourceWords(appointment.source)}</span></dd>
${appointment.updated_at !== appointment.created_at && html`<dt>Changed</dt><dd>${timeIn(region, appointment.updated_at)}</dd>`}
${appointment.cancelled_at && html`<dt>Cancelled</dt><dd>${timeIn(region, appointment.cancelled_at)}</dd>`}</dl>
${appointmentActions(context, page)}</section>`,
  });
}

/** Who it is, with a number that a telephone can dial. */
const customerLines = (region: Region, customer: NamedCustomer | null, id: number): Html => {
  const page = html`<a href="/settings/customers/${id}">${customer?.name ?? `Customer ${id}`}</a>`;
  return customer === null ? page : html`${page}<br>${phoneLink(region, customer.phone)}`;
};
