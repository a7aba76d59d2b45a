import type { BookingSettingsRecord, ChosenPolicy, UpdateBookingSettings } from '@frontdesk/contracts';

export interface BookingSettingsRow extends BookingSettingsRecord {
  tenant_id: number;
  booking_policy_chosen: boolean;
  version: number;
}

export type StoredBookingSettings = Omit<BookingSettingsRow, 'tenant_id'>;

export type BookingSettingsChange = Partial<Omit<StoredBookingSettings, 'version'>>;

/**
 * Of a business that nobody has set up yet. Processes of 0.1.0 rely on the same numbers as defaults of the table: those go
 * with the next release.
 */
export const DEFAULT_BOOKING_SETTINGS: StoredBookingSettings = {
  booking_policy: 'open',
  booking_policy_chosen: false,
  slot_step_minutes: 15,
  minimum_notice_minutes: 0,
  horizon_days: null,
  version: 1,
};

export const bookingSettingsRecord = (settings: BookingSettingsRecord): BookingSettingsRecord => ({
  booking_policy: settings.booking_policy,
  slot_step_minutes: settings.slot_step_minutes,
  minimum_notice_minutes: settings.minimum_notice_minutes,
  horizon_days: settings.horizon_days,
});

/** Nobody has `slots_only` without having chosen it. */
export const policyRecord = ({
  booking_policy,
  booking_policy_chosen,
}: StoredBookingSettings): ChosenPolicy => ({
  booking_policy,
  is_chosen: booking_policy_chosen || booking_policy !== 'open',
});

/** A policy that somebody states is chosen, also where it is the one that the business had. */
export const withChoice = <Change extends UpdateBookingSettings>(
  change: Change,
): Change & { booking_policy_chosen?: true } => ({
  ...change,
  ...(change.booking_policy !== undefined && { booking_policy_chosen: true }),
});
