import { type AppointmentAdmin, MAX_CANCELLATION_REASON } from '@frontdesk/contracts';
import { appointmentAddress } from '../records/addresses.rules.ts';
import { stateWords } from '../records/appointment-words.view.ts';
import { arrivedAt } from '../records/arrival.rules.ts';
import { bookingAddress } from '../records/booking-query.rules.ts';
import { versionField } from '../records/record-form.view.ts';
import { clockIn, dateIn, longDate } from '../region/dates.rules.ts';
import type { Region } from '../region/region.rules.ts';
import { actionButton, confirmation } from '../ui/controls.view.ts';
import { inputField } from '../ui/fields.view.ts';
import { type Html, html } from '../ui/html.ts';
import type { Notice } from '../ui/notices.rules.ts';
import { EMPTY_FORM, type PageContext } from '../ui/page-context.ts';
import { USUAL_REASONS } from './cancellation.rules.ts';
import { mayArrive, mayBeNoShow, mayComplete } from './may-end.rules.ts';
import { canMoveBack, type MoveMade } from './moved-start.rules.ts';

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
  return html`<div class="actions alike">${
    status === 'scheduled' &&
    html`<a class="button primary" href="${appointmentAddress(appointment.id)}/move">Move</a>
${endings(context, options)}`
  }
<a class="button" href="${appointmentAddress(appointment.id)}/edit">Edit</a>
<a class="button" href="${again}">Book again</a>
${status === 'scheduled' && cancellation(context, options)}</div>${noShowToCome(options)}`;
}

interface Undo {
  /** What has just been done where the toast offers it too. */
  follows: Notice;
  /** What it does, or undoes. */
  words: string;
  button: Html;
  /** What else can be done about it. */
  also?: Html | false;
}

/** The opposites of changes that stand. */
export const undosOf = (context: PageContext, options: ActionsOptions): Undo[] =>
  [moveBack(context, options), endingUndo(context, options), arrivalUndo(context, options)].filter(
    (undo) => undo !== null,
  );

/** Above what the appointment is, so that it is in sight on a telephone too. */
export const undoBoxes = (undos: readonly Undo[]): Html[] =>
  undos.map(
    ({ words, button, also }) => html`<div class="undo"><p>${words}</p>
${button}
${also}</div>`,
  );

/** On its day, why a no-show can't be recorded yet. */
const noShowToCome = ({ appointment, region, now }: ActionsOptions): Html | false =>
  appointment.status === 'scheduled' &&
  arrivedAt(appointment) === null &&
  mayComplete(appointment, region, now) &&
  !mayBeNoShow(appointment, now) &&
  html`<p class="hint">From ${clockIn(region, appointment.starts_at)} on it can be marked as a no-show.</p>`;

function endings(context: PageContext, options: ActionsOptions): Html | false {
  const { appointment, etag, region, now } = options;
  const isMissed = mayBeNoShow(appointment, now) && arrivedAt(appointment) === null;
  const fields = versionField(etag);
  const at = appointmentAddress(appointment.id);
  return (
    mayComplete(appointment, region, now) &&
    html`${
      arrivedAt(appointment) === null &&
      mayArrive(appointment, region, now) &&
      actionButton(context, { action: `${at}/arrive`, name: 'Arrived', of: '', fields })
    }
${actionButton(context, { action: `${at}/complete`, name: 'Completed', of: '', fields })}
${isMissed && actionButton(context, { action: `${at}/no-show`, name: 'No-show', of: '', fields })}`
  );
}

const cancellation = (context: PageContext, { appointment: { id }, etag }: ActionsOptions): Html =>
  confirmation(context, {
    id: 'cancel',
    button: 'Cancel appointment',
    of: '',
    title: 'Cancel this appointment?',
    text: 'Its time can be booked by others. You can undo this while it’s still free.',
    action: `${appointmentAddress(id)}/cancel`,
    confirm: 'Cancel appointment',
    dismiss: 'Keep it',
    fields: html`${versionField(etag)}${inputField(EMPTY_FORM, {
      name: 'reason',
      label: 'Reason',
      isOptional: true,
      maxLength: MAX_CANCELLATION_REASON,
      suggestions: USUAL_REASONS,
    })}`,
  });

const RESTORES = 'Undo restores the original time if it’s still free.';

const UNDONE = {
  cancelled: { of: 'the cancellation', words: RESTORES, follows: 'appointment-cancelled' },
  completed: { of: 'completing it', words: 'Undo schedules it again.', follows: 'appointment-completed' },
  no_show: { of: 'the no-show', words: RESTORES, follows: 'appointment-no-show' },
} as const;

/** The opposite of how it ended. */
function endingUndo(
  context: PageContext,
  { appointment: { id, status }, etag }: ActionsOptions,
): Undo | null {
  if (status === 'scheduled') return null;
  const { of, words, follows } = UNDONE[status];
  const at = appointmentAddress(id);
  return {
    follows,
    words,
    button: actionButton(context, {
      action: `${at}/reactivate`,
      name: 'Undo',
      of,
      fields: versionField(etag),
    }),
    also: status !== 'completed' && html`<a href="${at}/move">At another time</a>`,
  };
}

/** The way back after a move. */
function moveBack(
  context: PageContext,
  { appointment, etag, region, moveMade }: ActionsOptions,
): Undo | null {
  const { was, was_staff } = moveMade;
  const { id, status } = appointment;
  if (was === undefined || status !== 'scheduled' || !canMoveBack(moveMade, appointment)) return null;
  const fields = html`${versionField(etag)}<input type="hidden" name="starts_at" value="${was}">${
    was_staff !== undefined && html`<input type="hidden" name="staff_id" value="${was_staff}">`
  }`;
  return {
    follows: 'appointment-moved',
    words: `It was on ${longDate(region, dateIn(region.zone, was))} at ${clockIn(region, was)}. ${RESTORES}`,
    button: actionButton(context, {
      action: `${appointmentAddress(id)}/move`,
      name: 'Undo',
      of: 'the move',
      fields,
    }),
  };
}

/** The customer hasn't come after all. */
function arrivalUndo(context: PageContext, { appointment, etag, region }: ActionsOptions): Undo | null {
  if (arrivedAt(appointment) === null) return null;
  return {
    follows: 'appointment-arrived',
    words: `${stateWords(region, appointment)}.`,
    button: actionButton(context, {
      action: `${appointmentAddress(appointment.id)}/not-arrived`,
      name: 'Undo',
      of: 'the arrival',
      fields: versionField(etag),
    }),
  };
}
