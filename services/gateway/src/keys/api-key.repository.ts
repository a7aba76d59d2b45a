import {
  type ExpiringKey,
  KEY_EXPIRES_WITHIN_DAYS,
  KEY_USE_DAYS,
  leastNear,
  MAX_QUOTA_USES,
} from '@frontdesk/contracts';
import {
  type SystemScope,
  systemSql,
  type TenantReads,
  type TenantTransaction,
  tenantSql,
} from '@frontdesk/database';
import { apiKeyEntity } from './api-key.entity.ts';
import type { ApiKeyRow, KeyAccess, ShownKey } from './api-key.rules.ts';

/** Neither revoked nor expired, as `isValid` of the rules has it. */
const valid = (key: string) =>
  `${key}.is_active and (${key}.expires_at is null or ${key}.expires_at > now())`;

/** True while its successor is valid. After that this key counts in the quota again, and can be extended or rolled. */
const REPLACED = `exists (
  select from api_keys next where next.tenant_id = api_keys.tenant_id and next.id = api_keys.rolled_to and ${valid('next')}
)`;

/** What counts in the quota. */
const IN_USE = `${valid('api_keys')} and not ${REPLACED}`;

const SHOWN = `select tenant_id, id, name, last_four, is_active, scopes, expires_at, networks,
  case when ${REPLACED} then rolled_to end as rolled_to, version, last_used_at, created_at
  from api_keys where tenant_id = $tenantId`;

const list = tenantSql<ShownKey>('api_key_list', `${SHOWN} order by id desc`);
const find = tenantSql<ShownKey, { id: number }>('api_key', `${SHOWN} and id = $id`);

/** Newest first; revoked keys are among them. */
export const listKeys = (db: TenantReads) => db.many(list);

export const insertKey = (
  tx: TenantTransaction,
  key: Pick<ApiKeyRow, 'name' | 'key_hash' | 'last_four' | 'scopes' | 'expires_at' | 'networks'>,
): Promise<ApiKeyRow> => tx.repository(apiKeyEntity).insert(key);

/** Null where there is no such key. */
export const findKey = (db: TenantReads, id: number) => db.maybeOne(find, { id });

/** The key whose place this one has taken. */
export const findPredecessor = (db: TenantReads, id: number) =>
  db.repository(apiKeyEntity).findOne({ rolled_to: id });

/** Null where there is no such key, or it is revoked. */
export async function updateKey(
  db: TenantReads,
  id: number,
  change: Partial<Pick<ApiKeyRow, 'name' | 'scopes' | 'expires_at' | 'networks' | 'rolled_to'>>,
): Promise<ShownKey | null> {
  const [row] = await db.repository(apiKeyEntity).update({ id, is_active: true }, change);
  return row ? findKey(db, id) : null;
}

/** Disables a key for good; it stays listed. Null where there is no such key. */
export async function revokeKey(db: TenantReads, id: number): Promise<ShownKey | null> {
  const [row] = await db.repository(apiKeyEntity).update({ id }, { is_active: false });
  return row ? findKey(db, id) : null;
}

/** False where there is no such key. */
export const deleteKey = async (db: TenantReads, id: number) =>
  (await db.repository(apiKeyEntity).delete({ id })) === 1;

const count = tenantSql<{ active: number; ended: number }>(
  'api_key_count',
  `select count(*) filter (where ${IN_USE}) as active, count(*) filter (where not (${IN_USE})) as ended
   from api_keys where tenant_id = $tenantId`,
);

/** Counted keys are those of the quota. A replaced key has ended, even while it still works. */
export const countKeys = (db: TenantReads) => db.one(count);

const findLargest = systemSql<
  { tenant_id: number; quota: 'api_keys'; used: number },
  { from: number; limit: number }
>(
  'api_key_count_largest',
  `select tenant_id, 'api_keys' as quota, count(*) as used from api_keys where ${IN_USE}
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
  scopes: KeyAccess['scopes'];
  expires_at: Date | null;
  networks: KeyAccess['networks'];
}

const findByHashes = systemSql<KeyAccessRow, { keyHashes: string[] }>(
  'api_key_access',
  `select encode(api_keys.key_hash, 'hex') as key_hash, api_keys.tenant_id, api_keys.id, tenants.plan, tenants.status,
     api_keys.scopes, api_keys.expires_at, api_keys.networks
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
    rows.map(({ key_hash, tenant_id: tenantId, id: keyId, expires_at, ...access }) => [
      key_hash,
      { tenantId, keyId, expiresAtMs: expires_at?.getTime() ?? null, ...access },
    ]),
  );
}

const findByHash = systemSql<{ tenant_id: number; id: number }, { keyHash: string }>(
  'api_key_of_hash',
  `select tenant_id, id from api_keys where key_hash = decode($keyHash, 'hex')`,
);

/** Whose key it is, revoked or not. @param keyHash hex */
export const findKeyOfHash = (system: SystemScope, keyHash: string) =>
  system.maybeOne(findByHash, { keyHash });

type ExpiringKeyRow = Omit<ExpiringKey, 'expires_at' | 'created_at'> &
  Record<'expires_at' | 'created_at', Date>;

const findExpiring = systemSql<ExpiringKeyRow, { after: number; days: number; limit: number }>(
  'api_key_expiring',
  `select tenant_id, id, api_keys.name, last_four, expires_at, api_keys.created_at
   from api_keys join tenants using (tenant_id)
   where ${IN_USE} and expires_at < now() + $days * interval '1 day' and id > $after and status = 'active'
   order by id limit $limit`,
);

const EXPIRING_AT_ONCE = 1_000;

/** Keys that expire within days, and that are not replaced. Of businesses that can do something about it. */
export const findExpiringKeys = (system: SystemScope, after: number) =>
  system.many(findExpiring, { after, days: KEY_EXPIRES_WITHIN_DAYS, limit: EXPIRING_AT_ONCE });

const findUse = tenantSql<{ day: string; requests: number }, { id: number; days: number }>(
  'api_key_use',
  `select to_char(day, 'YYYY-MM-DD') as day, requests from api_key_days
   where tenant_id = $tenantId and key_id = $id and day > (now() at time zone 'utc')::date - $days::int
   order by day desc`,
);

/** Requests of a key by UTC day, the latest first. */
export const findKeyUse = (db: TenantReads, id: number) => db.many(findUse, { id, days: KEY_USE_DAYS });

const markUsed = systemSql<
  never,
  { tenantIds: number[]; keyIds: number[]; usedAt: Date[]; days: string[]; requests: number[] }
>(
  'api_key_used',
  `with used as materialized (
     select tenant_id, id, day, max(at) as at, sum(requests)::bigint as requests
     from unnest($tenantIds::bigint[], $keyIds::bigint[], $usedAt::timestamptz[], $days::date[], $requests::bigint[])
       as used (tenant_id, id, at, day, requests)
     group by tenant_id, id, day
   ), latest as (select tenant_id, id, max(at) as at from used group by tenant_id, id),
   marked as (
     update api_keys set last_used_at = latest.at from latest
     where api_keys.tenant_id = latest.tenant_id and api_keys.id = latest.id
       and (api_keys.last_used_at is null or api_keys.last_used_at < latest.at)
   )
   insert into api_key_days (tenant_id, key_id, day, requests)
   select used.tenant_id, used.id, used.day, used.requests
   from used join api_keys on api_keys.tenant_id = used.tenant_id and api_keys.id = used.id
   order by used.tenant_id, used.id, used.day
   on conflict (tenant_id, key_id, day) do update set requests = api_key_days.requests + excluded.requests`,
);

/** What a key was used for on one UTC day, `Y-m-d`, since it was last noted. */
export interface KeyUse {
  tenantId: number;
  keyId: number;
  usedAt: Date;
  day: string;
  requests: number;
}

/** Keys of many tenants at once, each as often as it comes; those that are deleted meanwhile are left out. */
export const noteKeyUses = (system: SystemScope, uses: readonly KeyUse[]) =>
  system.run(markUsed, {
    tenantIds: uses.map(({ tenantId }) => tenantId),
    keyIds: uses.map(({ keyId }) => keyId),
    usedAt: uses.map(({ usedAt }) => usedAt),
    days: uses.map(({ day }) => day),
    requests: uses.map(({ requests }) => requests),
  });

const forgetDays = systemSql<never, { days: number }>(
  'api_key_days_forget',
  `delete from api_key_days where day <= (now() at time zone 'utc')::date - $days::int`,
);

/** Days that nobody is shown any more. */
export const forgetKeyUses = (system: SystemScope) => system.run(forgetDays, { days: KEY_USE_DAYS });

const forgetRolled = systemSql<never, { days: number }>(
  'api_keys_forget',
  `delete from api_keys
   where is_active and rolled_to is not null and expires_at < now() - $days * interval '1 day'`,
);

/** Keys that were rolled, as long after their end as their use is shown: programs that roll keys leave no more of them. */
export const forgetRolledKeys = (system: SystemScope) => system.run(forgetRolled, { days: KEY_USE_DAYS });
