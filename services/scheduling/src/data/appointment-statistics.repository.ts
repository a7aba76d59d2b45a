import type { AppointmentStatus } from '@frontdesk/contracts';
import { type TenantReads, tenantSql } from '@frontdesk/database';
import type { BriefAppointmentRow } from '../domain/appointment.ts';
import type { Interval } from '../domain/interval.ts';

/** Appointments of a day that are of one status; `day` counts from 1. */
interface DayCount {
  day: number;
  status: AppointmentStatus;
  appointments: number;
}

// By boundaries, which know of clock changes, rather than by the dates that appointments were booked under: the
// business may have moved to another zone since.
const countByDay = tenantSql<DayCount, [midnights: Date[], from: Date, until: Date]>(
  'appointments_by_day',
  `select width_bucket(starts_at, $2::timestamptz[]) as day, status, count(*) as appointments
   from appointments
   where tenant_id = $1 and starts_at >= $3 and starts_at < $4
   group by 1, 2`,
);

const findNext = tenantSql<BriefAppointmentRow, [from: Date, until: Date, now: Date, limit: number]>(
  'appointments_next',
  `select booked.id, booked.starts_at, booked.ends_at, services.name as service, staff.name as staff
   from appointments booked
   join services on services.tenant_id = $1 and services.id = booked.service_id
   left join staff on staff.tenant_id = $1 and staff.id = booked.staff_id
   where booked.tenant_id = $1 and booked.status = 'scheduled'
     and booked.starts_at >= $2 and booked.starts_at < $3 and booked.ends_at > $4
   order by booked.starts_at, booked.id
   limit $5`,
);

/** Counts by the days that lie between these instants. */
export const countAppointmentsByDay = (db: TenantReads, midnights: readonly number[]) => {
  const instants = midnights.map((at) => new Date(at));
  return db.many(countByDay, instants, instants[0] as Date, instants.at(-1) as Date);
};

/** Those of a day that are still to come, or under way. */
export const listNextAppointments = (db: TenantReads, day: Interval, now: number, limit: number) =>
  db.many(findNext, new Date(day.start), new Date(day.end), new Date(now), limit);
