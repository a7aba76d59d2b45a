import type { UpdateBookingSettings } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { changesOf, type RequireVersion } from '@frontdesk/service';
import { lockBusiness, updateSettings } from '../data/settings.repository.ts';
import { type SettingsChange, type StoredSettings, withChoice } from '../domain/settings.ts';

/** @throws AppError `precondition_failed` */
export async function changeSettings(
  tx: TenantTransaction,
  patch: UpdateBookingSettings,
  requireVersion: RequireVersion,
): Promise<StoredSettings> {
  const before = await lockBusiness(tx);
  requireVersion(before.version);
  const changes = changesOf<SettingsChange>(before, withChoice(patch));
  return changes ? updateSettings(tx, changes) : before;
}
