import { type TenantReads, tenantSql } from '@frontdesk/database';
import type { ComingAppointment } from '../domain/calendar-conflicts.ts';
import { BUSINESS } from '../domain/slot.ts';

const COMING = `select id, resource_id, starts_at, duration_minutes from appointments
   where tenant_id = $1 and status = 'scheduled' and starts_at >= now()`;

const findOfMember = tenantSql<ComingAppointment, [limit: number, staffId: number]>(
  'coming_of_member',
  `${COMING} and resource_id = $3 order by starts_at, id limit $2`,
);

const findOfAll = tenantSql<ComingAppointment, [limit: number]>(
  'coming_of_all',
  `${COMING} and (resource_id = ${BUSINESS} or exists (
     select from staff where staff.tenant_id = $1 and staff.id = appointments.resource_id and staff.is_active))
   order by starts_at, id limit $2`,
);

/** The next scheduled appointments of a staff member; of everybody who is active and of the business itself, where that is asked for. */
export const comingAppointments = (db: TenantReads, resourceId: number, limit: number) =>
  resourceId === BUSINESS ? db.many(findOfAll, limit) : db.many(findOfMember, limit, resourceId);
