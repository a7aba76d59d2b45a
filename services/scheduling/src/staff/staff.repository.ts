import { type TenantReads, type TenantTransaction, tenantSql } from '@frontdesk/database';
import { namedStatements } from '../services/named-records.repository.ts';
import { staffEntity } from './staff.entity.ts';
import type { PerformerRow, StaffAdminRow, StaffFields, StaffRow } from './staff.rules.ts';

const COLUMNS = 'name, specialties, is_active, follows_business_hours, color';

const staffSql = (counts = '') => `
  select id, ${COLUMNS}, version,
    coalesce((
      select json_agg(performed.service_id order by performed.service_id)
      from staff_services performed
      join services on services.tenant_id = $tenantId and services.id = performed.service_id
      where performed.tenant_id = $tenantId and performed.staff_id = staff.id and services.deleted_at is null
    ), '[]') as service_ids ${counts}
  from staff
  where tenant_id = $tenantId and deleted_at is null`;

const COUNTED = staffSql(`, (
      select count(*) from appointments coming
      where coming.tenant_id = $tenantId and coming.resource_id = staff.id
        and coming.status = 'scheduled' and coming.starts_at >= now()
    ) as coming_appointments, (
      select picture.version from staff_pictures picture where picture.tenant_id = $tenantId and picture.staff_id = staff.id
    ) as picture_version`);

const list = tenantSql<PerformerRow>('staff_with_services', `${staffSql()} order by id`);
const listCounted = tenantSql<StaffAdminRow>('staff_admin_list', `${COUNTED} order by id`);
const findCounted = tenantSql<StaffAdminRow, { id: number }>('staff_admin_find', `${COUNTED} and id = $id`);
const { lock, count, upsert } = namedStatements('staff', COLUMNS);

// Without a version of its own: the change of the calendar makes one.
const endFollowing = tenantSql<never, { id: number }>(
  'staff_end_following',
  `update staff set follows_business_hours = false where tenant_id = $tenantId and id = $id and follows_business_hours`,
);

/** Inactive ones too, by id. */
export const listStaff = (db: TenantReads) => db.many(list);

export const findStaffMember = (db: TenantReads, id: number) => db.repository(staffEntity).findOne({ id });

/** Inactive ones too, by id, with their coming appointments counted. */
export const listStaffForAdmin = (db: TenantReads) => db.many(listCounted);
export const findStaffMemberForAdmin = (db: TenantReads, id: number) => db.maybeOne(findCounted, { id });

/** How many staff there are, and how many of them are active. */
export const countStaff = (db: TenantReads) => db.one(count);

/** Holds the rows until the transaction ends. What precedes it in another transaction is seen by the next statement. */
export const lockStaff = (tx: TenantTransaction, ids: number[]) => tx.many(lock, { ids });

/** @throws a violation of `staff_name_key`; so does `updateStaffMember` */
export const insertStaffMember = (tx: TenantTransaction, fields: StaffFields) =>
  tx.repository(staffEntity).insert(fields);

/** Lock the row first. Its version grows also for what is kept beside it: then with `{}`. */
export const updateStaffMember = (
  tx: TenantTransaction,
  id: number,
  change: Partial<Omit<StaffRow, 'tenant_id' | 'id' | 'version'>>,
) => tx.repository(staffEntity).updateOne({ id }, change);

/** Adds or changes by name; what is new gets its id in the order of the list. */
export const saveStaff = (tx: TenantTransaction, staff: StaffFields[]) =>
  tx.many(upsert, { entries: JSON.stringify(staff) });

/** Whether they followed the business's hours until now. */
export const stopFollowing = async (tx: TenantTransaction, id: number): Promise<boolean> =>
  (await tx.run(endFollowing, { id })) > 0;
