import { customerSummaryCard } from '../customers/customer-summary.view.ts';
import { appointmentAddress, callAddress } from '../records/addresses.rules.ts';
import { span, stateBadge } from '../records/appointment-words.view.ts';
import { sourceWords } from '../records/customer-words.view.ts';
import { dayAddress } from '../records/day-query.rules.ts';
import { dateIn, longDate } from '../region/dates.rules.ts';
import { moneyText, plural } from '../region/words.rules.ts';
import { errorMessage } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import { layout } from '../ui/layout.view.ts';
import type { PageContext } from '../ui/page-context.ts';
import { canChange, mayUse } from '../ui/page-scopes.rules.ts';
import { panel } from '../ui/panel.view.ts';
import { timeIn } from '../ui/times.view.ts';
import { type ActionsOptions, appointmentActions, undoBoxes, undosOf } from './appointment-actions.view.ts';
import { historyCard } from './history.view.ts';
import type { LoadedAppointment } from './load-appointment.ts';

interface AppointmentPage extends ActionsOptions, LoadedAppointment {
  /** What was wrong with a change. */
  refusal: string | undefined;
}

export function appointmentPage(context: PageContext, page: AppointmentPage): string {
  const { appointment, region } = page;
  const { id, service_name, staff_name, status, duration_minutes } = appointment;
  const { buffer_before_minutes: before, buffer_after_minutes: after } = appointment;
  const [early, late] = [before, after].map((minutes) => plural(region, minutes, 'minute'));
  const date = dateIn(region.zone, appointment.starts_at);
  const day = dayAddress({ date, cancelled: status === 'cancelled' ? '1' : undefined });
  const mayChange = mayUse(context, 'POST', appointmentAddress(id));
  const undos = mayChange ? undosOf(context, page) : [];
  const justDone = undos.find(({ follows }) => follows === context.done?.notice);
  const isMoved = context.done?.notice === 'appointment-moved';
  const whose = staff_name === null ? '' : ` with ${staff_name}`;
  const moved = `${context.notice} ${longDate(region, date)}, ${span(region, appointment)}${whose}.`;
  return layout(isMoved ? { ...context, notice: moved } : context, {
    undo: canChange(context, appointmentAddress(id)) && justDone?.button,
    title: page.customerSummary.customer?.name ?? `Appointment ${id}`,
    at: '/settings/calendar',
    lead: html`<a href="${day}">Back to ${longDate(region, date)}</a>`,
    body: html`${errorMessage(page.refusal)}
${panel({
  id: 'what',
  title: service_name,
  beside: stateBadge(region, appointment),
  body: html`${undoBoxes(undos)}
<dl><dt>When</dt>
<dd>${longDate(region, date)}, ${span(region, appointment)} <span class="hint">${region.zone}</span></dd>
<dt>With</dt><dd>${staff_name ?? 'Unassigned'}</dd>
<dt>Duration</dt><dd>${plural(region, duration_minutes, 'minute')}${
    (before > 0 || after > 0) && html` <span class="hint">buffer: ${early} before, ${late} after</span>`
  }</dd>
<dt>Price</dt><dd>${moneyText(region, appointment.price, appointment.currency)}</dd>
${appointment.notes && html`<dt>Notes</dt><dd class="as-typed">${appointment.notes}</dd>`}
<dt>Booked</dt>
<dd>${timeIn(region, appointment.created_at)} <span class="hint">via ${sourceWords(appointment.source)}</span></dd>
${
  appointment.updated_at !== appointment.created_at &&
  html`<dt>Changed</dt><dd>${timeIn(region, appointment.updated_at)}</dd>`
}
${appointment.cancelled_at && html`<dt>Cancelled</dt><dd>${timeIn(region, appointment.cancelled_at)}</dd>`}
${appointment.cancellation_reason && html`<dt>Reason</dt><dd>${appointment.cancellation_reason}</dd>`}</dl>
${mayChange && appointmentActions(context, page)}`,
})}${customerCard(page)}
${historyCard(page)}`,
  });
}

/** Whose appointment it is, and in which call it was booked. */
const customerCard = ({ appointment, region, customerSummary, call }: AppointmentPage): Html =>
  customerSummaryCard({
    customerSummary,
    region,
    besideId: appointment.id,
    more:
      call &&
      html`<dt>Booked in</dt>
<dd><a href="${callAddress(call.id)}">Call of ${timeIn(region, call.started_at)}</a></dd>`,
  });
