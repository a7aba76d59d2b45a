import type { AppointmentStatus } from '@frontdesk/contracts';
import { type TenantReads, tenantSql } from '@frontdesk/database';
import { IS_APPOINTMENT } from '../appointments/appointment.repository.ts';
import type { BriefAppointmentRow } from '../appointments/appointment.rules.ts';
import type { Interval } from '../working-hours/interval.rules.ts';

/** Appointments of a day that are of one status; `day` counts from 1. */
interface DayCount {
  day: number;
  status: AppointmentStatus;
  appointments: number;
}

// By boundaries, which know of clock changes, rather than by the dates that appointments were booked under: the
// business may have moved to another zone since.
const countByDay = tenantSql<DayCount, { midnights: Date[]; from: Date; until: Date }>(
  'appointments_by_day',
  `select width_bucket(starts_at, $midnights::timestamptz[]) as day, status, count(*) as appointments
   from appointments
   where tenant_id = $tenantId and starts_at >= $from and starts_at < $until and ${IS_APPOINTMENT}
   group by 1, 2`,
);

const findNext = tenantSql<BriefAppointmentRow, { from: Date; until: Date; now: Date; limit: number }>(
  'appointments_next',
  `select booked.id, booked.starts_at, booked.ends_at, services.name as service, staff.name as staff
   from appointments booked
   join services on services.tenant_id = $tenantId and services.id = booked.service_id
   left join staff on staff.tenant_id = $tenantId and staff.id = booked.staff_id
   where booked.tenant_id = $tenantId and booked.status = 'scheduled'
     and booked.starts_at >= $from and booked.starts_at < $until and booked.ends_at > $now
   order by booked.starts_at, booked.id
   limit $limit`,
);

/** Counts by the days that lie between these instants. */
export const countAppointmentsByDay = (db: TenantReads, midnights: readonly number[]) => {
  const instants = midnights.map((at) => new Date(at));
  return db.many(countByDay, {
    midnights: instants,
    from: instants[0] as Date,
    until: instants.at(-1) as Date,
  });
};

/** Those of a day that are still to come, or under way. */
export const listNextAppointments = (db: TenantReads, day: Interval, now: number, limit: number) =>
  db.many(findNext, { from: new Date(day.start), until: new Date(day.end), now: new Date(now), limit });
