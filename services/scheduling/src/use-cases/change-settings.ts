import type { UpdateBookingSettings } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import type { RequireVersion } from '@frontdesk/service';
import { lockBusiness, updateSettings } from '../data/settings.repository.ts';
import { changedSettings, type StoredSettings } from '../domain/settings.ts';

/** @throws AppError `precondition_failed` */
export async function changeSettings(
  tx: TenantTransaction,
  patch: UpdateBookingSettings,
  requireVersion: RequireVersion,
): Promise<StoredSettings> {
  const before = await lockBusiness(tx);
  requireVersion(before.version);
  const after = changedSettings(before, patch);
  return after ? updateSettings(tx, after) : before;
}
