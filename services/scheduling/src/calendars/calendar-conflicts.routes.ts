import { businessCalendarRoutes, type CalendarConflicts, staffCalendarRoutes } from '@frontdesk/contracts';
import type { Database, TenantReads } from '@frontdesk/database';
import { localDate, MINUTE_MS } from '@frontdesk/local-time';
import { type App, clientGone, notFound, ok, route, timeSlices } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import { findNamedAppointments, listUpcomingAppointments } from '../appointments/appointment.repository.ts';
import { appointmentAdminRecord, type UpcomingAppointmentRow } from '../appointments/appointment.rules.ts';
import { onShift } from '../availability/availability.rules.ts';
import { findStaffMember } from '../staff/staff.repository.ts';
import { findCalendars } from '../working-hours/calendar.repository.ts';
import { BUSINESS, type Calendar, NO_HOURS } from '../working-hours/calendar.rules.ts';
import { portionsOf } from '../working-hours/portions.rules.ts';

/** Appointments that calendars, as they are now, would not offer. */
export function calendarConflictRoutes(
  app: App,
  { database, tenants }: { database: Database; tenants: TenantDirectory },
): void {
  for (const { listConflicts } of [businessCalendarRoutes, staffCalendarRoutes])
    route(app, listConflicts, async ({ tenantId, params: { id = BUSINESS } }, reply) => {
      const { timezone } = await tenants.find(tenantId);
      const scope = database.forTenant(tenantId);
      if (id !== BUSINESS && (await findStaffMember(scope, id)) === null) throw notFound('Staff member');
      return ok(await findCalendarConflicts(scope, id, { timezone, signal: clientGone(reply) }));
    });
}

/** Appointments that are looked at: the next ones. */
const MOST_CHECKED = 2_000;
/** Those that are listed. */
const MOST_LISTED = 20;

/**
 * The coming appointments of a staff member, or of everybody, that lie outside working hours or within time off: those booked
 * before a calendar changed, or against it. Three queries; for many staff one more for each portion
 * of their calendars.
 */
async function findCalendarConflicts(
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

interface CalendarConflict {
  id: number;
  /** Within time off or a closing; otherwise outside the hours. */
  isTimeOff: boolean;
}

/** The appointment's conflict with the calendar of its staff member; null where it fits. */
function conflictOf(
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
