import type { BookingSettingsRecord } from '@frontdesk/contracts';
import { type TenantReads, tenantSql } from '@frontdesk/database';
import { DEFAULT_SETTINGS, type StoredSettings } from '../domain/settings.ts';

export const SETTINGS_COLUMNS = 'booking_policy, slot_step_minutes, minimum_notice_minutes, horizon_days';
const STORED = `${SETTINGS_COLUMNS}, version`;

// The update changes nothing; it locks the row.
const lock = tenantSql<StoredSettings>(
  'settings_lock',
  `insert into booking_settings (tenant_id) values ($1)
   on conflict (tenant_id) do update set booking_policy = booking_settings.booking_policy
   returning ${STORED}`,
);

const share = tenantSql<StoredSettings>(
  'settings_share',
  `select ${STORED} from booking_settings where tenant_id = $1 for share`,
);

const find = tenantSql<StoredSettings>(
  'settings_find',
  `select ${STORED} from booking_settings where tenant_id = $1`,
);

const update = tenantSql<
  StoredSettings,
  [policy: string, stepMinutes: number, noticeMinutes: number, horizonDays: number | null]
>(
  'settings_update',
  `update booking_settings
   set booking_policy = $2, slot_step_minutes = $3, minimum_notice_minutes = $4, horizon_days = $5,
     version = version + 1
   where tenant_id = $1
   returning ${STORED}`,
);

/**
 * The settings, with the business held until the transaction ends: all that it is set up with changes one after the other.
 * A business that has nothing yet is begun.
 */
export const lockBusiness = (db: TenantReads) => db.one(lock);

/** The settings, with nothing of what the business is set up with changing until the transaction ends. */
export const holdBusiness = async (db: TenantReads) => (await db.maybeOne(share)) ?? DEFAULT_SETTINGS;

export const findSettings = async (db: TenantReads) => (await db.maybeOne(find)) ?? DEFAULT_SETTINGS;

/** Also a further version for a change of the business's calendar: then with the settings as they are. */
export const updateSettings = (db: TenantReads, settings: BookingSettingsRecord) =>
  db.one(
    update,
    settings.booking_policy,
    settings.slot_step_minutes,
    settings.minimum_notice_minutes,
    settings.horizon_days,
  );
