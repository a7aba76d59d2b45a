import { type TenantReads, type TenantTransaction, tenantSql } from '@frontdesk/database';
import type { PictureRow } from './staff-picture.rules.ts';

const findPicture = tenantSql<PictureRow, { staffId: number }>(
  'staff_picture_find',
  `select picture.type, picture.bytes, picture.version
   from staff_pictures picture
   join staff on staff.tenant_id = $tenantId and staff.id = picture.staff_id and staff.deleted_at is null
   where picture.tenant_id = $tenantId and picture.staff_id = $staffId`,
);

const upsert = tenantSql<never, { staffId: number } & PictureRow>(
  'staff_picture_save',
  `insert into staff_pictures (tenant_id, staff_id, type, bytes, version)
   values ($tenantId, $staffId, $type, $bytes, $version)
   on conflict (tenant_id, staff_id) do update
   set type = excluded.type, bytes = excluded.bytes, version = excluded.version`,
);

const remove = tenantSql<never, { staffId: number }>(
  'staff_picture_delete',
  'delete from staff_pictures where tenant_id = $tenantId and staff_id = $staffId',
);

/** Null also for staff who are deleted. */
export const findStaffPicture = (db: TenantReads, staffId: number) => db.maybeOne(findPicture, { staffId });

/** Lock the staff member first. */
export const saveStaffPicture = (tx: TenantTransaction, staffId: number, picture: PictureRow) =>
  tx.run(upsert, { staffId, type: picture.type, bytes: picture.bytes, version: picture.version });

/** Whether there was one. */
export const deleteStaffPicture = async (tx: TenantTransaction, staffId: number): Promise<boolean> =>
  (await tx.run(remove, { staffId })) > 0;
