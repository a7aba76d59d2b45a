import type { BookingSettingsRecord, UpdateBookingSettings } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { changesOf, type RequireVersion } from '@frontdesk/service';
import { lockBusiness, updateSettings } from '../data/settings.repository.ts';
import type { StoredSettings } from '../domain/settings.ts';

/** @throws AppError `precondition_failed` */
export async function changeSettings(
  tx: TenantTransaction,
  patch: UpdateBookingSettings,
  requireVersion: RequireVersion,
): Promise<StoredSettings> {
  const before = await lockBusiness(tx);
  requireVersion(before.version);
  const changes = changesOf<BookingSettingsRecord>(before, patch);
  return changes ? updateSettings(tx, changes) : before;
}
