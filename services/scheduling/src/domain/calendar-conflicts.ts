import { MINUTE_MS } from '@frontdesk/local-time';
import type { UpcomingAppointmentRow } from './appointment.ts';
import { onShift } from './availability.ts';
import { type Calendar, NO_HOURS } from './calendar.ts';

export interface CalendarConflict {
  id: number;
  /** Within time off or a closing; otherwise outside the hours. */
  isTimeOff: boolean;
}

/** The appointment's conflict with the calendar of its staff member; null where it fits. */
export function conflictOf(
  { id, resource_id, starts_at, duration_minutes }: UpcomingAppointmentRow,
  calendars: ReadonlyMap<number, Calendar>,
  timezone: string,
): CalendarConflict | null {
  const calendar = calendars.get(resource_id) ?? NO_HOURS;
  const startsAt = starts_at.getTime();
  const visit = { durationMinutes: duration_minutes, bufferBeforeMinutes: 0, bufferAfterMinutes: 0 };
  if (onShift([{ id, visit, calendar, busy: [] }], startsAt, timezone).length > 0) return null;
  const endsAt = startsAt + duration_minutes * MINUTE_MS;
  return { id, isTimeOff: calendar.timeOff.some(({ start, end }) => start < endsAt && end > startsAt) };
}
