import type { AppointmentAdmin } from '@frontdesk/contracts';
import { appointmentAddress } from '../../domain/appointments/appointment-address.ts';
import { bookingAddress } from '../../domain/appointments/booking-query.ts';
import { mayComplete } from '../../domain/appointments/may-complete.ts';
import { canMoveBack, type MoveMade } from '../../domain/appointments/moved-start.ts';
import { clockIn, dateIn, longDate } from '../../domain/shared/dates.ts';
import type { Region } from '../../domain/shared/region.ts';
import { versionField } from '../business/frame.view.ts';
import { type Html, html } from '../shared/html.ts';
import type { PageContext } from '../shared/page-context.ts';
import { actionButton, confirmation } from '../shared/parts.ts';

export interface ActionsOptions {
  appointment: AppointmentAdmin;
  etag: string;
  region: Region;
  now: number;
  /** The move that has led here. */
  moveMade: MoveMade;
}

/** What can be done about an appointment. Each change can be undone, by the opposite change. */
export function appointmentActions(context: PageContext, options: ActionsOptions): Html {
  const { appointment } = options;
  const { status, customer_id, service_id, staff_id } = appointment;
  const again = bookingAddress({ customer_id, service_id, staff_id: staff_id ?? undefined });
  return html`${moveBack(context, options)}${undo(context, options)}
<div class="actions alike">${status === 'scheduled' && html`<a class="button primary" href="${appointmentAddress(appointment.id)}/move">Move</a>${endings(context, options)}`}
<a class="button" href="${again}">Book again</a>
${status === 'scheduled' && cancellation(context, options)}</div>`;
}

function endings(context: PageContext, { appointment, etag, region, now }: ActionsOptions): Html | false {
  const fields = versionField(etag);
  const at = appointmentAddress(appointment.id);
  return (
    mayComplete(appointment, region, now) &&
    html`${actionButton(context, { action: `${at}/complete`, name: 'Completed', of: '', fields })}
${actionButton(context, { action: `${at}/no-show`, name: 'No-show', of: '', fields })}`
  );
}

const cancellation = (context: PageContext, { appointment: { id }, etag }: ActionsOptions): Html =>
  confirmation(context, {
    ...{ id: 'cancel', button: 'Cancel appointment', of: '', title: 'Cancel this appointment?' },
    text: html`Its time is free again, and <code>appointment.cancelled</code> is sent to your webhooks. You can undo it while the time is free.`,
    ...{
      action: `${appointmentAddress(id)}/cancel`,
      confirm: 'Cancel appointment',
      dismiss: 'Keep it',
      fields: versionField(etag),
    },
  });

const UNDONE = {
  cancelled: { of: 'the cancellation', what: 'It takes the same time again if that is still free' },
  completed: { of: 'completing it', what: 'It is scheduled again' },
  no_show: { of: 'the no-show', what: 'It takes the same time again if that is still free' },
} as const;

/** The opposite of how it ended. What receivers have done already is not undone, so it says what they are sent. */
function undo(context: PageContext, { appointment: { id, status }, etag }: ActionsOptions): Html | false {
  if (status === 'scheduled') return false;
  const { of, what } = UNDONE[status];
  return html`<div class="undo"><p>${what}, and <code>appointment.updated</code> is sent to your webhooks.</p>
${actionButton(context, { action: `${appointmentAddress(id)}/reactivate`, name: 'Undo', of, fields: versionField(etag) })}
${status !== 'completed' && html`<a href="${appointmentAddress(id)}/move">At another time</a>`}</div>`;
}

/** The way back after a move. */
function moveBack(
  context: PageContext,
  { appointment, etag, region, moveMade }: ActionsOptions,
): Html | false {
  const { was, was_staff } = moveMade;
  const { id, status } = appointment;
  if (was === undefined || status !== 'scheduled' || !canMoveBack(moveMade, appointment)) return false;
  const fields = html`${versionField(etag)}<input type="hidden" name="starts_at" value="${was}">${was_staff !== undefined && html`<input type="hidden" name="staff_id" value="${was_staff}">`}`;
  return html`<div class="undo"><p>It was on ${longDate(region, dateIn(region.zone, was))} at ${clockIn(region, was)}. Moving it back sends <code>appointment.updated</code> once more.</p>
${actionButton(context, { action: `${appointmentAddress(id)}/move`, name: 'Undo', of: 'the move', fields })}</div>`;
}
