import { APPOINTMENT_HISTORY_FIELDS, type AppointmentHistory, type Role } from '@frontdesk/contracts';
import type { Identity } from '@frontdesk/service';
import {
  type AppointmentRow,
  appointmentRecord,
  arrivedAt,
  cancellationReason,
} from './appointment.rules.ts';

/** Who books or changes an appointment. */
export interface Actor {
  role: Role;
  /** Of the admin or the key; null where nobody in particular is known. */
  id: number | null;
}

export const actorOf = ({ role, userId, keyId }: Identity): Actor => ({ role, id: userId ?? keyId ?? null });

type HistoryLine = AppointmentHistory[number];

/** A change, or the booking itself: then without a role where a process of an earlier release has booked it. */
export interface HistoryRow extends Pick<HistoryLine, 'kind' | 'changes'> {
  at: Date;
  role: Role | null;
  actor_id: number | null;
}

export const historyLine = ({ at, role, actor_id, kind, changes }: HistoryRow): HistoryLine => ({
  at: at.toISOString(),
  by: role && { role, id: actor_id },
  kind,
  changes,
});

const shown = (row: AppointmentRow) => ({
  ...appointmentRecord(row),
  arrived_at: arrivedAt(row)?.toISOString() ?? null,
  cancellation_reason: cancellationReason(row),
});

/** Notes and reasons are private, and can be corrected: of them the history has no text. */
const WITHOUT_TEXT: readonly string[] = ['notes', 'cancellation_reason'] satisfies (keyof ReturnType<
  typeof shown
>)[];

/** What a change was, as people saw it before and after. */
export function historyChanges(before: AppointmentRow, after: AppointmentRow): HistoryLine['changes'] {
  const [from, to] = [shown(before), shown(after)];
  // The same instant on the clocks of another zone is no change.
  const isSameStart = before.starts_at.getTime() === after.starts_at.getTime();
  return APPOINTMENT_HISTORY_FIELDS.filter((field) =>
    field === 'starts_at' ? !isSameStart : from[field] !== to[field],
  ).map((field) => ({
    field,
    from: WITHOUT_TEXT.includes(field) ? null : from[field],
    to: WITHOUT_TEXT.includes(field) ? null : to[field],
  }));
}
