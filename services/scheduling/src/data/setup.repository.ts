import { type TenantReads, tenantSql } from '@frontdesk/database';
import type { Setup } from '../domain/bookability.ts';

const findServices = tenantSql<Setup['services'][number]>(
  'setup_services',
  `select id, name, is_active, duration_minutes from services
   where tenant_id = $1 and deleted_at is null
   order by id`,
);

const findStaff = tenantSql<Setup['staff'][number]>(
  'setup_staff',
  `select id, name, is_active, follows_business_hours, coalesce((
     select json_agg(performed.service_id order by performed.service_id) from staff_services performed
     where performed.tenant_id = $1 and performed.staff_id = staff.id
   ), '[]') as service_ids
   from staff
   where tenant_id = $1 and deleted_at is null
   order by id`,
);

/** All that isn't deleted, by id; without counts of appointments. */
export const setupServices = (db: TenantReads) => db.many(findServices);
export const setupStaff = (db: TenantReads) => db.many(findStaff);
