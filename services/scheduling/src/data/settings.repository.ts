import { type TenantReads, type TenantTransaction, tenantSql } from '@frontdesk/database';
import { DEFAULT_SETTINGS, type SettingsChange, type StoredSettings } from '../domain/settings.ts';
import { settingsEntity } from './settings.entity.ts';

export const SETTINGS_COLUMNS = 'booking_policy, slot_step_minutes, minimum_notice_minutes, horizon_days';
const STORED = `${SETTINGS_COLUMNS}, booking_policy_chosen, version`;

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

/**
 * The settings, with the business held until the transaction ends: all that it is set up with changes one after the other.
 * A business that has nothing yet is begun.
 */
export const lockBusiness = (tx: TenantTransaction) => tx.one(lock);

/** The settings, with nothing of what the business is set up with changing until the transaction ends. */
export const shareBusiness = async (tx: TenantTransaction) => (await tx.maybeOne(share)) ?? DEFAULT_SETTINGS;

export const findSettings = async (db: TenantReads): Promise<StoredSettings> =>
  (await db.repository(settingsEntity).findOne({})) ?? DEFAULT_SETTINGS;

/** Lock the business first. Its version grows also for what is kept beside its settings: then with `{}`. */
export const updateSettings = (tx: TenantTransaction, change: SettingsChange): Promise<StoredSettings> =>
  tx.repository(settingsEntity).updateOne({}, change);
