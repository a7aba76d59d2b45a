import {
  APPOINTMENT_STATUSES,
  type AppointmentStatistics,
  type AppointmentStatus,
  STATISTICS_APPOINTMENT_DAYS as REACH,
} from '@frontdesk/contracts';
import type { TenantReads } from '@frontdesk/database';
import { plusDays } from '@frontdesk/local-time';
import { countAppointmentsByDay, listNextAppointments } from '../data/appointment-statistics.repository.ts';
import { findBusyIntervals } from '../data/busy.repository.ts';
import { findCalendarsOfDate } from '../data/calendar.repository.ts';
import { briefAppointmentRecord } from '../domain/appointment.ts';
import { dayLoad, dayOf } from '../domain/day.ts';

const MAX_NEXT = 10;

/** A business's day, by when appointments begin on its clocks, and the days around it. */
export async function appointmentStatisticsOf(
  db: TenantReads,
  { timezone, date, now }: { timezone: string; date: string; now: number },
): Promise<AppointmentStatistics> {
  const day = dayOf(date, timezone);
  const calendars = await findCalendarsOfDate(db, date, timezone);
  const [days, next, busy] = await Promise.all([
    countsAround(db, date, timezone),
    listNextAppointments(db, day, now, MAX_NEXT),
    findBusyIntervals(db, [...calendars.keys()], day),
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
