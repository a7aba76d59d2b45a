import type { BookingSettingsRecord } from '@frontdesk/contracts';

export interface SettingsRow extends BookingSettingsRecord {
  tenant_id: number;
  version: number;
}

export type StoredSettings = Omit<SettingsRow, 'tenant_id'>;

/** Of a business that nobody has set up yet; the table's defaults are the same. */
export const DEFAULT_SETTINGS: StoredSettings = {
  booking_policy: 'open',
  slot_step_minutes: 15,
  minimum_notice_minutes: 0,
  horizon_days: null,
  version: 1,
};

export const settingsRecord = (settings: BookingSettingsRecord): BookingSettingsRecord => ({
  booking_policy: settings.booking_policy,
  slot_step_minutes: settings.slot_step_minutes,
  minimum_notice_minutes: settings.minimum_notice_minutes,
  horizon_days: settings.horizon_days,
});
