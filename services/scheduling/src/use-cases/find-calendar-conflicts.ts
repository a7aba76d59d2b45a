import type { CalendarConflicts } from '@frontdesk/contracts';
import type { TenantReads } from '@frontdesk/database';
import { localDate } from '@frontdesk/local-time';
import { timeSlices } from '@frontdesk/service';
import { findNamedAppointments, listUpcomingAppointments } from '../data/appointment.repository.ts';
import { findCalendars } from '../data/calendar.repository.ts';
import { appointmentAdminRecord } from '../domain/appointment.ts';
import { type CalendarConflict, conflictOf } from '../domain/calendar-conflicts.ts';
import { portionsOf } from '../domain/portions.ts';

/** Appointments that are looked at: the next ones. */
const MOST_CHECKED = 2_000;
/** Those that are listed. */
const MOST_LISTED = 20;

/**
 * The coming appointments of a staff member, or of everybody, that lie outside working hours or within time off: those booked
 * before a calendar changed, or against it. Three queries; for many staff one more for each portion
 * of their calendars.
 */
export async function findCalendarConflicts(
  db: TenantReads,
  resourceId: number,
  { timezone, signal }: { timezone: string; signal: AbortSignal },
): Promise<CalendarConflicts> {
  const coming = await listUpcomingAppointments(db, resourceId, MOST_CHECKED);
  const [first, last] = [coming[0], coming.at(-1)];
  if (first === undefined || last === undefined) return { count: 0, is_complete: true, appointments: [] };
  const range = {
    timezone,
    from: localDate(first.starts_at.getTime(), timezone),
    to: localDate(last.starts_at.getTime(), timezone),
  };
  const pause = timeSlices({ signal });
  const conflicts = new Map<number, CalendarConflict>();
  const ofResource = Map.groupBy(coming, ({ resource_id }) => resource_id);
  for (const portion of portionsOf([...ofResource.keys()], range)) {
    const calendars = await findCalendars(db, portion, range);
    for (const appointment of portion.flatMap((id) => ofResource.get(id) ?? [])) {
      const conflict = conflictOf(appointment, calendars, timezone);
      if (conflict) conflicts.set(appointment.id, conflict);
      await pause();
    }
  }
  const inOrder = coming.map(({ id }) => id).filter((id) => conflicts.has(id));
  const listed = await findNamedAppointments(db, inOrder.slice(0, MOST_LISTED));
  return {
    count: conflicts.size,
    is_complete: coming.length < MOST_CHECKED,
    appointments: listed.map((row) => ({
      ...appointmentAdminRecord(row),
      is_time_off: conflicts.get(row.id)?.isTimeOff ?? false,
    })),
  };
}
