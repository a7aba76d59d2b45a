import type { AppointmentStatus, EventType } from '@frontdesk/contracts';

/** What automations listen for: a trigger fires whenever its event is recorded in the outbox. */
export const AUTOMATION_TRIGGERS = {
  appointment_cancelled: 'appointment.cancelled',
} as const satisfies Record<string, EventType>;

/** The one event of a change: cancelling has its own, every other change is an update. */
export function eventOfChange(before: AppointmentStatus, after: AppointmentStatus): EventType {
  const enteredCancelled = before !== 'cancelled' && after === 'cancelled';
  return enteredCancelled ? AUTOMATION_TRIGGERS.appointment_cancelled : 'appointment.updated';
}
