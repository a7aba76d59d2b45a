import { isDeepStrictEqual } from 'node:util';
import type { Quotas, UpdateStaff } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import type { RequireVersion } from '@frontdesk/service';
import { replaceCalendars } from '../data/own-calendar.repository.ts';
import { replacePerformed, staffRecords } from '../data/staff-admin.repository.ts';
import { patched } from '../domain/patched.ts';
import type { StaffAdminRow } from '../domain/staff-admin.ts';
import { withFreeName } from './check-name.ts';
import { requireServices } from './create-staff.ts';
import { lockRecord } from './lock-record.ts';
import { requireActivation } from './require-addition.ts';

/**
 * Applies a patch. Following the business's hours deletes weekly hours of their own. Deactivating takes nothing away from who is booked already: `coming_appointments` are those that stay.
 * @throws AppError `not_found`, `precondition_failed`, `validation_failed`; `quota_exceeded` where it activates one too many
 */
export async function changeStaff(
  tx: TenantTransaction,
  id: number,
  { service_ids, ...patch }: UpdateStaff,
  { quotas, requireVersion }: { quotas: Quotas; requireVersion: RequireVersion },
): Promise<StaffAdminRow> {
  const before = await lockRecord(tx, 'Staff member', id, requireVersion);
  const after = {
    ...patched(before, patch),
    ...(service_ids && { service_ids: await requireServices(tx, service_ids) }),
  };
  if (isDeepStrictEqual(after, before)) return before;
  if (after.is_active && !before.is_active) await requireActivation(tx, 'staff', quotas);
  const stored = await withFreeName(staffRecords.nameKey, staffRecords.update(tx, id, after));
  if (!isDeepStrictEqual(after.service_ids, before.service_ids))
    await replacePerformed(tx, [{ staffId: id, serviceIds: after.service_ids }]);
  if (after.follows_business_hours && !before.follows_business_hours)
    await replaceCalendars(tx, new Map([[id, { hours: {} }]]));
  return { ...after, ...stored };
}

/** The record as it was last, out of every list; their appointments stay. @throws AppError `not_found`, `precondition_failed` */
export async function deleteStaff(
  tx: TenantTransaction,
  id: number,
  requireVersion: RequireVersion,
): Promise<StaffAdminRow> {
  const row = await lockRecord(tx, 'Staff member', id, requireVersion);
  return { ...row, is_active: false, ...(await staffRecords.remove(tx, id)) };
}
