import { isDeepStrictEqual } from 'node:util';
import type { Quotas, UpdateService } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import type { RequireVersion } from '@frontdesk/service';
import { serviceRecords } from '../data/service-admin.repository.ts';
import { patched } from '../domain/patched.ts';
import type { ServiceAdminRow } from '../domain/service-admin.ts';
import { changePerformers } from './change-performers.ts';
import { withFreeName } from './check-name.ts';
import { priceMinor } from './create-service.ts';
import { lockRecord } from './lock-record.ts';
import { requireActivation } from './require-addition.ts';

/**
 * Applies a patch. Deactivating takes nothing away from who is booked already: `coming_appointments` are those that stay.
 * @throws AppError `not_found`, `precondition_failed`, `validation_failed`; `quota_exceeded` where it activates one too many
 */
export async function changeService(
  tx: TenantTransaction,
  id: number,
  { price, performers, ...patch }: UpdateService,
  context: { currency: string; quotas: Quotas; requireVersion: RequireVersion },
): Promise<ServiceAdminRow> {
  const { currency, quotas, requireVersion } = context;
  const { version, coming_appointments, ...before } = await lockRecord(tx, 'Service', id, requireVersion);
  if (performers) await changePerformers(tx, id, performers);
  const after = {
    ...patched(before, patch),
    ...(price !== undefined && { price_minor: priceMinor(price, currency), currency }),
  };
  if (isDeepStrictEqual(after, before)) return { ...before, version, coming_appointments };
  if (after.is_active && !before.is_active) await requireActivation(tx, 'services', quotas);
  const stored = await withFreeName(serviceRecords.nameKey, serviceRecords.update(tx, id, after));
  return { ...after, ...stored, coming_appointments };
}

/** The record as it was last, out of every list; its appointments stay. @throws AppError `not_found`, `precondition_failed` */
export async function deleteService(
  tx: TenantTransaction,
  id: number,
  requireVersion: RequireVersion,
): Promise<ServiceAdminRow> {
  const row = await lockRecord(tx, 'Service', id, requireVersion);
  return { ...row, is_active: false, ...(await serviceRecords.remove(tx, id)) };
}
