import type { Quotas, UpdateStaff } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { changesOf, type RequireVersion } from '@frontdesk/service';
import { locked, requireActivation, withFreeName } from '../services/named-records.ts';
import { replacePerformed } from '../services/performers.repository.ts';
import { replaceCalendars } from '../working-hours/own-calendar.repository.ts';
import { requireServices } from './create-staff.ts';
import { countStaff, findStaffMemberForAdmin, lockStaff, updateStaffMember } from './staff.repository.ts';
import type { PerformerRow, StaffAdminRow } from './staff.rules.ts';
import { deleteStaffPicture } from './staff-picture.repository.ts';

export const lockStaffMember = locked('Staff member', lockStaff, findStaffMemberForAdmin);

/**
 * Applies a patch. Following the business's hours deletes weekly hours of their own. Deactivating leaves appointments as they are:
 * `coming_appointments` counts them.
 * @throws AppError `not_found`, `precondition_failed`, `validation_failed`; `quota_exceeded` where it activates one too many
 */
export async function changeStaff(
  tx: TenantTransaction,
  id: number,
  { service_ids, ...patch }: UpdateStaff,
  { quotas, requireVersion }: { quotas: Quotas; requireVersion: RequireVersion },
): Promise<StaffAdminRow> {
  const before = await lockStaffMember(tx, id, requireVersion);
  const serviceIds = service_ids && (await requireServices(tx, service_ids));
  const changes = changesOf<PerformerRow>(before, { ...patch, service_ids: serviceIds });
  if (!changes) return before;
  const { service_ids: performed, ...fields } = changes;
  if (fields.is_active) requireActivation('staff', await countStaff(tx), quotas);
  const row = await withFreeName(updateStaffMember(tx, id, fields));
  if (performed) await replacePerformed(tx, [{ staffId: id, serviceIds: performed }]);
  if (fields.follows_business_hours) await replaceCalendars(tx, new Map([[id, { hours: {} }]]));
  return { ...before, ...row, ...(performed && { service_ids: performed }) };
}

/** The record as it was last, out of every list and without its picture; their appointments stay. @throws AppError `not_found`, `precondition_failed` */
export async function deleteStaff(
  tx: TenantTransaction,
  id: number,
  requireVersion: RequireVersion,
): Promise<StaffAdminRow> {
  const before = await lockStaffMember(tx, id, requireVersion);
  await deleteStaffPicture(tx, id);
  const row = await updateStaffMember(tx, id, { deleted_at: new Date(), is_active: false });
  return { ...before, ...row, picture_version: null };
}
