import { tenantSql } from '@frontdesk/database';
import type { StaffAdminRow, StaffFields } from '../domain/staff-record.ts';
import { namedRecords } from './named-records.ts';
import type { TenantReads } from './tenant-reads.ts';

const SELECT = `
  select staff.id, staff.name, staff.specialties, staff.is_active, staff.version,
    coalesce((
      select json_agg(performed.service_id order by performed.service_id)
      from staff_services performed
      join services on services.tenant_id = $1 and services.id = performed.service_id
      where performed.tenant_id = $1 and performed.staff_id = staff.id and services.deleted_at is null
    ), '[]') as service_ids,
    (
      select count(*) from appointments coming
      where coming.tenant_id = $1 and coming.resource_id = staff.id
        and coming.status = 'scheduled' and coming.starts_at >= now()
    ) as coming_appointments
  from staff
  where staff.tenant_id = $1 and staff.deleted_at is null`;

const list = tenantSql<StaffAdminRow>('staff_admin_list', `${SELECT} order by staff.id`);
const find = tenantSql<StaffAdminRow, [id: number]>('staff_admin_find', `${SELECT} and staff.id = $2`);

export const staffRecords = namedRecords<StaffFields>('staff', {
  name: 'text',
  specialties: 'text[]',
  is_active: 'boolean',
});

/** Inactive ones too, by id. */
export const listStaff = (db: TenantReads) => db.many(list);
export const findStaffMember = (db: TenantReads, id: number) => db.maybeOne(find, id);
