import type { AppointmentAdmin } from '@frontdesk/contracts';
import { appointmentAddress } from '../records/addresses.rules.ts';
import { arrivedAt, stateWords } from '../records/appointment-words.view.ts';
import { versionField } from '../records/record-form.view.ts';
import type { Region } from '../region/region.rules.ts';
import { actionButton } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import type { PageContext } from '../ui/page-context.ts';
import { UNDO_FORM } from '../ui/toast.view.ts';

interface Arrival {
  appointment: AppointmentAdmin;
  etag: string;
}

/** Marks the customer as here; nothing where they are. */
export const arrivalButton = (context: PageContext, { appointment, etag }: Arrival): Html | false =>
  arrivedAt(appointment) === null &&
  actionButton(context, {
    action: `${appointmentAddress(appointment.id)}/arrive`,
    name: 'Arrived',
    of: '',
    fields: versionField(etag),
  });

/** Since when they are here, with the way back. */
export function arrivalUndo(
  context: PageContext,
  { appointment, etag, region }: Arrival & { region: Region },
): Html | false {
  if (arrivedAt(appointment) === null) return false;
  return html`<div class="undo"><p>${stateWords(region, appointment)}.</p>
${actionButton(context, {
  action: `${appointmentAddress(appointment.id)}/not-arrived`,
  // A page has one form that undoes what was just done.
  ...(context.done?.notice === 'appointment-arrived' && { id: UNDO_FORM }),
  name: 'Undo',
  of: 'the arrival',
  fields: versionField(etag),
})}</div>`;
}
