import { type TenantReads, tenantSql } from '@frontdesk/database';
import type { StaffAdminRow, StaffFields } from '../domain/staff-admin.ts';
import { namedRecords } from './named-records.ts';

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

const addPerforming = tenantSql<never, [serviceId: number, staffIds: number[]]>(
  'performed_add',
  `with added as (
     insert into staff_services (tenant_id, staff_id, service_id)
     select $1, staff_id, $2 from unnest($3::bigint[]) as wanted(staff_id)
     on conflict do nothing
     returning staff_id
   )
   update staff set version = version + 1 from added where tenant_id = $1 and id = added.staff_id`,
);

// What deleted staff performed stays, so that their last appointments can still be moved.
const removePerforming = tenantSql<never, [serviceId: number, staffIds: number[]]>(
  'performed_remove',
  `with removed as (
     delete from staff_services performed using staff
     where performed.tenant_id = $1 and performed.service_id = $2 and performed.staff_id = any($3::bigint[])
       and staff.tenant_id = $1 and staff.id = performed.staff_id and staff.deleted_at is null
     returning performed.staff_id
   )
   update staff set version = version + 1 from removed where tenant_id = $1 and id = removed.staff_id`,
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

/** These staff members perform the service from now on; each to whom that is new gets another version. */
export const addPerformers = (db: TenantReads, serviceId: number, staffIds: number[]) =>
  db.run(addPerforming, serviceId, staffIds);
/** These no longer perform it, likewise. */
export const removePerformers = (db: TenantReads, serviceId: number, staffIds: number[]) =>
  db.run(removePerforming, serviceId, staffIds);

/** Replaces what these staff members perform. @throws where a service is deleted or named twice for one of them */
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
