import { type SystemScope, systemSql } from '@frontdesk/database';
import type { AppointmentRow } from '../domain/appointment.ts';
import { APPOINTMENT_COLUMNS } from './appointment.repository.ts';

const findAfter = systemSql<
  AppointmentRow & { tenant_id: number },
  [afterTenant: number, afterId: number, limit: number]
>(
  'snapshot_appointments',
  `select tenant_id, ${APPOINTMENT_COLUMNS} from appointments
   where (tenant_id, id) > ($1, $2)
   order by tenant_id, id
   limit $3`,
);

/** Appointments of all tenants by tenant and id, from the first after the given one. */
export const appointmentsAfter = (
  system: SystemScope,
  after: { tenantId: number; id: number },
  limit: number,
) => system.many(findAfter, after.tenantId, after.id, limit);
