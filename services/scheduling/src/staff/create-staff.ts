import type { CreateStaff, Quotas } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { invalid } from '@frontdesk/service';
import { lockBusiness } from '../booking-settings/booking-settings.repository.ts';
import { requireAddition, withFreeName } from '../services/named-records.ts';
import { replacePerformed } from '../services/performers.repository.ts';
import { listServices } from '../services/service.repository.ts';
import { countStaff, insertStaffMember } from './staff.repository.ts';
import type { StaffAdminRow } from './staff.rules.ts';

/** The same ids in order, each once. Lock the business first. @throws AppError `validation_failed` for one it doesn't have */
export async function requireServices(tx: TenantTransaction, serviceIds: number[]): Promise<number[]> {
  const wanted = new Set(serviceIds);
  const found = (await listServices(tx)).map(({ id }) => id).filter((id) => wanted.has(id));
  if (found.length < wanted.size)
    throw invalid({
      service_ids: [
        {
          text: 'The service_ids field must hold only services of this business.',
          reason: 'services_gone',
        },
      ],
    });
  return found;
}

/** @throws AppError `validation_failed`, `quota_exceeded` */
export async function createStaff(
  tx: TenantTransaction,
  { service_ids, color = null, ...input }: CreateStaff,
  quotas: Quotas,
): Promise<StaffAdminRow> {
  const fields = { ...input, color };
  await lockBusiness(tx);
  const serviceIds = await requireServices(tx, service_ids);
  requireAddition('staff', await countStaff(tx), { isActive: fields.is_active, quotas });
  const row = await withFreeName(insertStaffMember(tx, fields));
  await replacePerformed(tx, [{ staffId: row.id, serviceIds }]);
  return { ...row, service_ids: serviceIds, coming_appointments: 0, picture_version: null };
}
