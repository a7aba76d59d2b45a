import { createHash } from 'node:crypto';
import { type CreatedApiKey, generateApiKey, MAX_REVOKED_KEYS } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { AppError, notFound, requireQuota } from '@frontdesk/service';
import { countKeys, insertKey } from '../data/api-key.repository.ts';
import { lockTenant } from '../data/tenant.repository.ts';
import { apiKeyRecord } from '../domain/api-key.ts';
import { effectiveQuotas } from '../domain/tenant.ts';

/**
 * Makes a key. Its plaintext is in this answer and nowhere else.
 * @throws AppError `not_found`, `quota_exceeded`
 */
export async function createKey(tx: TenantTransaction, name: string): Promise<CreatedApiKey> {
  await requireKeyQuota(tx);
  const key = generateApiKey();
  const row = await insertKey(tx, {
    name,
    key_hash: createHash('sha256').update(key).digest(),
    last_four: key.slice(-4),
  });
  return { ...apiKeyRecord(row), key };
}

/** Revoked keys don't count against the plan's quota. They have a bound of their own, because they stay in the list. */
async function requireKeyQuota(tx: TenantTransaction): Promise<void> {
  const tenant = await lockTenant(tx);
  if (!tenant) throw notFound('Tenant');
  const { active, revoked } = await countKeys(tx);
  requireQuota('api_keys', { used: active, allowed: effectiveQuotas(tenant).api_keys });
  if (revoked >= MAX_REVOKED_KEYS)
    throw new AppError('quota_exceeded', `There are ${revoked} revoked API keys: delete some of them first.`);
}
