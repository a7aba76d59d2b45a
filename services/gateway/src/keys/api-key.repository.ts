import { leastNear, MAX_QUOTA_USES } from '@frontdesk/contracts';
import {
  type SystemScope,
  systemSql,
  type TenantReads,
  type TenantTransaction,
  tenantSql,
} from '@frontdesk/database';
import { apiKeyEntity } from './api-key.entity.ts';
import type { ApiKeyRow, KeyAccess } from './api-key.rules.ts';

/** Newest first; revoked keys are among them. */
export const listKeys = (db: TenantReads) => db.repository(apiKeyEntity).find({ order: { id: 'DESC' } });

export const insertKey = (
  tx: TenantTransaction,
  key: Pick<ApiKeyRow, 'name' | 'key_hash' | 'last_four'>,
): Promise<ApiKeyRow> => tx.repository(apiKeyEntity).insert(key);

/** Disables a key for good; it stays listed. Null where there is no such key. */
export async function revokeKey(db: TenantReads, id: number): Promise<ApiKeyRow | null> {
  const [row] = await db.repository(apiKeyEntity).update({ id }, { is_active: false });
  return row ?? null;
}

/** False where there is no such key. */
export const deleteKey = async (db: TenantReads, id: number) =>
  (await db.repository(apiKeyEntity).delete({ id })) === 1;

const count = tenantSql<{ active: number; revoked: number }>(
  'api_key_count',
  `select count(*) filter (where is_active) as active, count(*) filter (where not is_active) as revoked
   from api_keys where tenant_id = $tenantId`,
);

/** How many keys a tenant has. */
export const countKeys = (db: TenantReads) => db.one(count);

const findLargest = systemSql<
  { tenant_id: number; quota: 'api_keys'; used: number },
  { from: number; limit: number }
>(
  'api_key_count_largest',
  `select tenant_id, 'api_keys' as quota, count(*) as used from api_keys where is_active
   group by tenant_id having count(*) >= $from order by used desc limit $limit`,
);

/** Tenants that may be near their quota of keys, those of most keys first. */
export const findTenantsByKeys = (system: SystemScope) =>
  system.many(findLargest, { from: leastNear('api_keys'), limit: MAX_QUOTA_USES });

interface KeyAccessRow {
  /** Hex. */
  key_hash: string;
  tenant_id: number;
  id: number;
  plan: KeyAccess['plan'];
  status: KeyAccess['status'];
}

const findByHashes = systemSql<KeyAccessRow, { keyHashes: string[] }>(
  'api_key_access',
  `select encode(api_keys.key_hash, 'hex') as key_hash, api_keys.tenant_id, api_keys.id, tenants.plan, tenants.status
   from unnest($keyHashes::text[]) as asked (key_hash)
   join api_keys on api_keys.key_hash = decode(asked.key_hash, 'hex') join tenants using (tenant_id)
   where api_keys.is_active`,
);

/**
 * Finds whose each key is, with the plan. No tenant is known before.
 * @param keyHashes hex, as the keys of the result
 */
export async function findKeyAccess(
  system: SystemScope,
  keyHashes: string[],
): Promise<Map<string, KeyAccess>> {
  const rows = await system.many(findByHashes, { keyHashes });
  return new Map(
    rows.map(({ key_hash, tenant_id: tenantId, id: keyId, plan, status }) => [
      key_hash,
      { tenantId, keyId, plan, status },
    ]),
  );
}

const markUsed = systemSql<never, { tenantIds: number[]; keyIds: number[]; usedAt: Date[] }>(
  'api_key_used',
  `update api_keys set last_used_at = used.at
   from unnest($tenantIds::bigint[], $keyIds::bigint[], $usedAt::timestamptz[]) as used (tenant_id, id, at)
   where api_keys.tenant_id = used.tenant_id and api_keys.id = used.id
     and (api_keys.last_used_at is null or api_keys.last_used_at < used.at)`,
);

export interface KeyUse {
  tenantId: number;
  keyId: number;
  usedAt: Date;
}

/** Keys of many tenants at once. */
export const noteKeyUses = (system: SystemScope, uses: readonly KeyUse[]) =>
  system.run(markUsed, {
    tenantIds: uses.map(({ tenantId }) => tenantId),
    keyIds: uses.map(({ keyId }) => keyId),
    usedAt: uses.map(({ usedAt }) => usedAt),
  });
