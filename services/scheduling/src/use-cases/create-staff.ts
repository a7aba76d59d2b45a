import type { CreateStaff, Quotas } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { invalid } from '@frontdesk/service';
import { replacePerformed } from '../data/performers.repository.ts';
import { listServices } from '../data/service.repository.ts';
import { lockBusiness } from '../data/settings.repository.ts';
import { insertStaffMember } from '../data/staff.repository.ts';
import type { StaffAdminRow } from '../domain/staff.ts';
import { withFreeName } from './check-name.ts';
import { requireAddition } from './require-addition.ts';

/** The same ids in order, each once. Lock the business first. @throws AppError `validation_failed` for one it doesn't have */
export async function requireServices(tx: TenantTransaction, serviceIds: number[]): Promise<number[]> {
  const wanted = new Set(serviceIds);
  const found = (await listServices(tx)).map(({ id }) => id).filter((id) => wanted.has(id));
  if (found.length < wanted.size)
    throw invalid({ service_ids: ['The service_ids field must hold only services of this business.'] });
  return found;
}

/** @throws AppError `validation_failed`, `quota_exceeded` */
export async function createStaff(
  tx: TenantTransaction,
  { service_ids, ...fields }: CreateStaff,
  quotas: Quotas,
): Promise<StaffAdminRow> {
  await lockBusiness(tx);
  const serviceIds = await requireServices(tx, service_ids);
  await requireAddition(tx, 'staff', { isActive: fields.is_active, quotas });
  const row = await withFreeName(insertStaffMember(tx, fields));
  await replacePerformed(tx, [{ staffId: row.id, serviceIds }]);
  return { ...row, service_ids: serviceIds, coming_appointments: 0 };
}
