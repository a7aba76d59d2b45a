import type { BookingSettingsRecord } from '@frontdesk/contracts';

export interface StoredSettings extends BookingSettingsRecord {
  version: number;
}

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

/** The settings after a change; null where it changes nothing. */
export function changedSettings(
  before: StoredSettings,
  change: { [Name in keyof BookingSettingsRecord]?: BookingSettingsRecord[Name] | undefined },
): BookingSettingsRecord | null {
  const after = settingsRecord(before);
  for (const [name, value] of Object.entries(change))
    if (value !== undefined) Object.assign(after, { [name]: value });
  const isSame = Object.entries(after).every(
    ([name, value]) => before[name as keyof StoredSettings] === value,
  );
  return isSame ? null : after;
}
