import type { Quotas, UpdateService } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { changesOf, type RequireVersion } from '@frontdesk/service';
import { updateService } from '../data/service.repository.ts';
import type { ServiceAdminRow, ServiceFields } from '../domain/service.ts';
import { changePerformers } from './change-performers.ts';
import { withFreeName } from './check-name.ts';
import { priceMinor } from './create-service.ts';
import { lockService } from './lock-record.ts';
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
  const before = await lockService(tx, id, requireVersion);
  if (performers) await changePerformers(tx, id, performers);
  const priced = price !== undefined && { price_minor: priceMinor(price, currency), currency };
  const changes = changesOf<ServiceFields>(before, { ...patch, ...priced });
  if (!changes) return before;
  if (changes.is_active) await requireActivation(tx, 'services', quotas);
  return { ...before, ...(await withFreeName(updateService(tx, id, changes))) };
}

/** The record as it was last, out of every list; its appointments stay. @throws AppError `not_found`, `precondition_failed` */
export async function deleteService(
  tx: TenantTransaction,
  id: number,
  requireVersion: RequireVersion,
): Promise<ServiceAdminRow> {
  const before = await lockService(tx, id, requireVersion);
  return { ...before, ...(await updateService(tx, id, { deleted_at: new Date(), is_active: false })) };
}
