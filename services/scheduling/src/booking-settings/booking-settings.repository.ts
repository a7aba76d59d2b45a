import { type TenantReads, type TenantTransaction, tenantSql } from '@frontdesk/database';
import { bookingSettingsEntity } from './booking-settings.entity.ts';
import {
  type BookingSettingsChange,
  DEFAULT_BOOKING_SETTINGS,
  type StoredBookingSettings,
} from './booking-settings.rules.ts';

export const BOOKING_SETTINGS_COLUMNS =
  'booking_policy, slot_step_minutes, minimum_notice_minutes, horizon_days';
const STORED = `${BOOKING_SETTINGS_COLUMNS}, booking_policy_chosen, version`;

// The update changes nothing; it locks the row.
const lock = tenantSql<StoredBookingSettings, { policy: string; stepMinutes: number; noticeMinutes: number }>(
  'settings_lock',
  `insert into booking_settings (tenant_id, booking_policy, slot_step_minutes, minimum_notice_minutes)
   values ($tenantId, $policy, $stepMinutes, $noticeMinutes)
   on conflict (tenant_id) do update set booking_policy = booking_settings.booking_policy
   returning ${STORED}`,
);

const share = tenantSql<StoredBookingSettings>(
  'settings_share',
  `select ${STORED} from booking_settings where tenant_id = $tenantId for share`,
);

/**
 * The settings, with the business held until the transaction ends: all that it is set up with changes one after the other.
 * A business that has nothing yet is begun.
 */
export function lockBusiness(tx: TenantTransaction): Promise<StoredBookingSettings> {
  const { booking_policy, slot_step_minutes, minimum_notice_minutes } = DEFAULT_BOOKING_SETTINGS;
  return tx.one(lock, {
    policy: booking_policy,
    stepMinutes: slot_step_minutes,
    noticeMinutes: minimum_notice_minutes,
  });
}

/** The settings, with nothing of what the business is set up with changing until the transaction ends. */
export const shareBusiness = async (tx: TenantTransaction) =>
  (await tx.maybeOne(share)) ?? DEFAULT_BOOKING_SETTINGS;

export const findBookingSettings = async (db: TenantReads): Promise<StoredBookingSettings> =>
  (await db.repository(bookingSettingsEntity).findOne({})) ?? DEFAULT_BOOKING_SETTINGS;

/** Lock the business first. Its version grows also for what is kept beside its settings: then with `{}`. */
export const updateBookingSettings = (
  tx: TenantTransaction,
  change: BookingSettingsChange,
): Promise<StoredBookingSettings> => tx.repository(bookingSettingsEntity).updateOne({}, change);
