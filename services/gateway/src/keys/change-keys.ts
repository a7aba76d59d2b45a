import { createHash } from 'node:crypto';
import {
  type CreatedApiKey,
  type CreateKey,
  generateApiKey,
  MAX_ENDED_KEYS,
  type UpdateKey,
} from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import {
  AppError,
  changesOf,
  type Identity,
  invalid,
  notFound,
  type RequireVersion,
  requireQuota,
  requireScopes,
} from '@frontdesk/service';
import { lockTenant } from '../tenants/tenant.repository.ts';
import { effectiveQuotas } from '../tenants/tenant.rules.ts';
import { countKeys, findKey, findPredecessor, insertKey, updateKey } from './api-key.repository.ts';
import { apiKeyRecord, isValid, isWidened, type ShownKey } from './api-key.rules.ts';

const HOUR_MS = 3_600_000;

/**
 * Applies a patch. Null where there is no such key, or it is revoked.
 * @throws AppError `precondition_failed`, `insufficient_scope`, `validation_failed`
 */
export async function changeKey(
  tx: TenantTransaction,
  id: number,
  patch: UpdateKey,
  { by, requireVersion }: { by: Identity; requireVersion: RequireVersion },
): Promise<ShownKey | null> {
  await lockTenant(tx);
  const key = await findKey(tx, id);
  if (!key?.is_active) return null;
  requireVersion(key.version);
  const { scopes = key.scopes, expires_at = key.expires_at, networks = key.networks } = patch;
  // Narrowing is free. Widening takes every scope of the result.
  if (isWidened(key, { scopes, expires_at, networks })) requireScopes(by, scopes);
  // Its end was promised to whoever rolled it.
  if (key.rolled_to !== null && isLater(expires_at, key.expires_at))
    throw invalid({ expires_at: ['Another key has taken the place of this one already.'] });
  // An expired key that is extended counts again.
  if (!isValid(key, Date.now()) && isValid({ is_active: true, expires_at }, Date.now()))
    await requireKeyQuota(tx);
  const changes = changesOf<ShownKey>(key, patch);
  return changes ? updateKey(tx, id, changes) : key;
}

const isLater = (end: Date | null, before: Date | null): boolean =>
  before !== null && (end === null || end > before);

/** @throws AppError `not_found`, `quota_exceeded` */
export async function createKey(tx: TenantTransaction, key: CreateKey): Promise<CreatedApiKey> {
  await requireKeyQuota(tx);
  await requireFewEnded(tx);
  return storeKey(tx, key);
}

/**
 * Makes a key with the same scopes and networks in the place of one, which stays valid for some hours.
 * @throws AppError `not_found`, `insufficient_scope`, `validation_failed`, `quota_exceeded`
 */
export async function rollKey(
  tx: TenantTransaction,
  id: number,
  { hours, by }: { hours: number; by: Identity },
): Promise<CreatedApiKey> {
  await lockTenant(tx);
  const key = await findKey(tx, id);
  const now = Date.now();
  if (!key || !isValid(key, now)) throw notFound('API key');
  requireScopes(by, key.scopes);
  if (key.rolled_to !== null) throw invalid({ id: ['This key was replaced already.'] });
  const predecessor = await findPredecessor(tx, id);
  if (predecessor && isValid(predecessor, now))
    throw invalid({
      id: ['The key that this one replaced still works. Wait until it has expired, or revoke it.'],
    });
  await requireFewEnded(tx);
  const { name, scopes, expires_at, networks, created_at } = key;
  // The new key gets the lifetime of the old one.
  const newExpiry = expires_at && new Date(now + expires_at.getTime() - created_at.getTime());
  const successor = await storeKey(tx, { name, scopes, expires_at: newExpiry, networks });
  const endsMs = Math.min(now + hours * HOUR_MS, expires_at?.getTime() ?? Number.POSITIVE_INFINITY);
  if (!(await updateKey(tx, id, { expires_at: new Date(endsMs), rolled_to: successor.id })))
    throw notFound('API key');
  return successor;
}

/** Its plaintext is in this answer and nowhere else. */
async function storeKey(tx: TenantTransaction, fields: CreateKey): Promise<CreatedApiKey> {
  const key = generateApiKey();
  const row = await insertKey(tx, {
    ...fields,
    key_hash: createHash('sha256').update(key).digest(),
    last_four: key.slice(-4),
  });
  return { ...apiKeyRecord(row), key };
}

/** @throws AppError `quota_exceeded` */
async function requireKeyQuota(tx: TenantTransaction): Promise<void> {
  const tenant = await lockTenant(tx);
  if (!tenant) throw notFound('Tenant');
  const { active } = await countKeys(tx);
  requireQuota('api_keys', { used: active, allowed: effectiveQuotas(tenant).api_keys });
}

/** The others have a bound of their own, because they stay in the list. */
async function requireFewEnded(tx: TenantTransaction): Promise<void> {
  const { ended } = await countKeys(tx);
  if (ended >= MAX_ENDED_KEYS)
    throw new AppError(
      'quota_exceeded',
      `There are ${ended} revoked, expired or replaced API keys: delete some of them first.`,
    );
}
