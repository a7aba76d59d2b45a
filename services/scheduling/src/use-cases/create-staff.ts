import type { CreateStaff } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { invalid } from '@frontdesk/service';
import { listServices } from '../data/service-admin.repository.ts';
import { lockBusiness } from '../data/settings.repository.ts';
import { replacePerformed, staffRecords } from '../data/staff-admin.repository.ts';
import type { StaffAdminRow } from '../domain/staff-admin.ts';
import { requireRoom, withFreeName } from './check-name.ts';

/** The same ids in order, each once. Lock the business first. @throws AppError `validation_failed` for one it doesn't have */
export async function requireServices(tx: TenantTransaction, serviceIds: number[]): Promise<number[]> {
  const wanted = new Set(serviceIds);
  const found = (await listServices(tx)).map(({ id }) => id).filter((id) => wanted.has(id));
  if (found.length < wanted.size)
    throw invalid({ service_ids: ['The service_ids field must hold only services of this business.'] });
  return found;
}

/** @throws AppError `validation_failed` */
export async function createStaff(
  tx: TenantTransaction,
  { service_ids, ...fields }: CreateStaff,
): Promise<StaffAdminRow> {
  await lockBusiness(tx);
  const serviceIds = await requireServices(tx, service_ids);
  requireRoom(await staffRecords.count(tx), 'staff');
  const stored = await withFreeName(staffRecords.nameKey, staffRecords.insert(tx, fields));
  await replacePerformed(tx, [{ staffId: stored.id, serviceIds }]);
  return { ...fields, ...stored, service_ids: serviceIds, coming_appointments: 0 };
}
