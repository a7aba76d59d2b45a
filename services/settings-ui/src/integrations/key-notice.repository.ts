import { type SystemScope, systemSql, type TenantReads, tenantSql } from '@frontdesk/database';
import type { KeyNotice } from './key-notices.rules.ts';

const add = tenantSql<never, { keyId: number; expiresAt: string; notice: KeyNotice }>(
  'key_notices_add',
  `insert into key_notices (tenant_id, key_id, expires_at, notice)
   values ($tenantId, $keyId, $expiresAt::timestamptz, $notice) on conflict do nothing`,
);

/** @returns whether the notice is new: each is sent once, and again where the key gets another expiry */
export const addKeyNotice = async (
  tx: TenantReads,
  notice: { keyId: number; expiresAt: string; notice: KeyNotice },
): Promise<boolean> => (await tx.run(add, notice)) === 1;

const purge = systemSql<never>('key_notices_purge', 'delete from key_notices where expires_at < now()');

/** Of keys that have expired. */
export const purgeKeyNotices = (system: SystemScope) => system.run(purge);
