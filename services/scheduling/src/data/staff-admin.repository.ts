import { tenantSql } from '@frontdesk/database';
import type { StaffAdminRow, StaffFields } from '../domain/staff-admin.ts';
import { namedRecords } from './named-records.ts';
import type { TenantReads } from './tenant-reads.ts';

const SELECT = `
  select staff.id, staff.name, staff.specialties, staff.is_active, staff.follows_business_hours, staff.version,
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

// What they performed of services that are deleted stays, so that those services' last appointments can still be moved.
const clearPerformed = tenantSql<never, [staffIds: number[]]>(
  'performed_clear',
  `delete from staff_services performed using services
   where performed.tenant_id = $1 and performed.staff_id = any($2::bigint[])
     and services.tenant_id = $1 and services.id = performed.service_id and services.deleted_at is null`,
);

const insertPerformed = tenantSql<never, [staffIds: number[], serviceIds: number[]]>(
  'performed_insert',
  `insert into staff_services (tenant_id, staff_id, service_id)
   select $1, staff_id, service_id from unnest($2::bigint[], $3::bigint[]) as performed(staff_id, service_id)`,
);

const endFollowing = tenantSql<never, [id: number]>(
  'staff_end_following',
  `update staff set follows_business_hours = false where tenant_id = $1 and id = $2 and follows_business_hours`,
);

export const staffRecords = namedRecords<StaffFields>('staff', {
  name: 'text',
  specialties: 'text[]',
  is_active: 'boolean',
  follows_business_hours: 'boolean',
});

/** Inactive ones too, by id. */
export const listStaff = (db: TenantReads) => db.many(list);
export const findStaffMember = (db: TenantReads, id: number) => db.maybeOne(find, id);

/** Whether they followed the business's hours until now. */
export const stopFollowing = async (db: TenantReads, id: number): Promise<boolean> =>
  (await db.run(endFollowing, id)) > 0;

/** Replaces what these members of staff perform. @throws where a service is deleted or named twice for one of them */
export async function replacePerformed(
  db: TenantReads,
  performed: { staffId: number; serviceIds: number[] }[],
): Promise<void> {
  if (performed.length === 0) return;
  await db.run(
    clearPerformed,
    performed.map(({ staffId }) => staffId),
  );
  const pairs = performed.flatMap(({ staffId, serviceIds }) =>
    serviceIds.map((id) => [staffId, id] as const),
  );
  await db.run(
    insertPerformed,
    pairs.map(([staffId]) => staffId),
    pairs.map(([, serviceId]) => serviceId),
  );
}
