import { type TenantReads, tenantSql } from '@frontdesk/database';
import type { UpcomingAppointment } from '../domain/calendar-conflicts.ts';
import { BUSINESS } from '../domain/slot.ts';

const UPCOMING = `select id, resource_id, starts_at, duration_minutes from appointments
   where tenant_id = $1 and status = 'scheduled' and starts_at >= now()`;

const findOfMember = tenantSql<UpcomingAppointment, [limit: number, staffId: number]>(
  'upcoming_of_member',
  `${UPCOMING} and resource_id = $3 order by starts_at, id limit $2`,
);

const findOfAll = tenantSql<UpcomingAppointment, [limit: number]>(
  'upcoming_of_all',
  `${UPCOMING} and (resource_id = ${BUSINESS} or exists (
     select from staff where staff.tenant_id = $1 and staff.id = appointments.resource_id and staff.is_active))
   order by starts_at, id limit $2`,
);

/** The next scheduled appointments of a staff member; of everybody who is active and of the business itself, where that is asked for. */
export const listUpcomingAppointments = (db: TenantReads, resourceId: number, limit: number) =>
  resourceId === BUSINESS ? db.many(findOfAll, limit) : db.many(findOfMember, limit, resourceId);
