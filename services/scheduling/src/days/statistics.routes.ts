import {
  APPOINTMENT_STATUSES,
  type AppointmentStatistics,
  type AppointmentStatus,
  STATISTICS_APPOINTMENT_DAYS as REACH,
  schedulingRoutes,
} from '@frontdesk/contracts';
import type { Database, TenantReads } from '@frontdesk/database';
import { localDate, plusDays } from '@frontdesk/local-time';
import { type App, ok, route } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import { briefAppointmentRecord } from '../appointments/appointment.rules.ts';
import { findBusyIntervals } from '../availability/busy.repository.ts';
import { findCalendarsOfDate } from '../working-hours/calendar.repository.ts';
import { dayLoad, dayOf } from '../working-hours/day.rules.ts';
import { countAppointmentsByDay, listNextAppointments } from './appointment-statistics.repository.ts';

/** How a business's day looks, for those who run it. `date`: the day that is meant, else the present one. */
export function statisticsRoutes(app: App, deps: { database: Database; tenants: TenantDirectory }): void {
  route(app, schedulingRoutes.getAppointmentStatistics, async ({ tenantId, query }) => {
    const { timezone } = await deps.tenants.find(tenantId);
    const now = Date.now();
    const date = query.date ?? localDate(now, timezone);
    return ok(await appointmentStatisticsOf(deps.database.forTenant(tenantId), { timezone, date, now }));
  });
}

const MAX_NEXT = 10;

/** A business's day, by when appointments begin on its clocks, and the days around it. */
async function appointmentStatisticsOf(
  db: TenantReads,
  { timezone, date, now }: { timezone: string; date: string; now: number },
): Promise<AppointmentStatistics> {
  const day = dayOf(date, timezone);
  const calendars = await findCalendarsOfDate(db, date, timezone);
  const [days, next, busy] = await Promise.all([
    countsAround(db, date, timezone),
    listNextAppointments(db, day, now, MAX_NEXT),
    // A hold may come to nothing.
    findBusyIntervals(db, [...calendars.keys()], day, { withHolds: false }),
  ]);
  const { date: _, ...today } = days[REACH] as (typeof days)[number];
  return {
    date,
    timezone,
    today,
    next: next.map((row) => briefAppointmentRecord(row, timezone)),
    ...dayLoad(calendars, busy, { date, timezone, now }),
    days,
  };
}

async function countsAround(db: TenantReads, date: string, timezone: string) {
  const dates = Array.from({ length: 2 * REACH + 1 }, (_, index) => plusDays(date, index - REACH));
  const midnights = [...dates, plusDays(date, REACH + 1)].map((one) => dayOf(one, timezone).start);
  const days = dates.map((one) => ({ date: one, ...none() }));
  for (const { day, status, appointments } of await countAppointmentsByDay(db, midnights)) {
    const counts = days[day - 1];
    if (counts) counts[status] += appointments;
  }
  return days;
}

const none = () =>
  Object.fromEntries(APPOINTMENT_STATUSES.map((status) => [status, 0])) as Record<AppointmentStatus, number>;
