import { createHash } from 'node:crypto';
import { type createdApiKey, generateApiKey } from '@frontdesk/contracts';
import type { TenantScope, TenantTransaction } from '@frontdesk/database';
import { AppError, notFound, requireQuota } from '@frontdesk/service';
import type { z } from 'zod';
import { apiKeyEntity, apiKeyRecord } from '../data/api-key.entity.ts';
import { countKeys } from '../data/api-key.repository.ts';
import { effectiveQuotas, tenantEntity } from '../data/tenant.entity.ts';
import { lockTenant } from '../data/tenant.repository.ts';

/** Revoked keys stay in the list until somebody deletes them. */
const MAX_REVOKED_KEYS = 1_000;

/**
 * Makes a key. Its plaintext is in this answer and nowhere else.
 * @throws AppError `not_found`, `quota_exceeded`
 */
export async function createKey(
  deps: { scope: TenantScope; announce: (tenantId: number) => void },
  name: string,
): Promise<z.infer<typeof createdApiKey>> {
  const { scope, announce } = deps;
  const key = generateApiKey();
  const row = await scope.transaction(async (tx) => {
    await tx.maybeOne(lockTenant);
    await requireRoomForKey(tx);
    return tx.repository(apiKeyEntity).insert({
      name,
      keyHash: createHash('sha256').update(key).digest(),
      lastFour: key.slice(-4),
      lastUsedAt: null,
    });
  });
  announce(scope.tenantId);
  return { ...apiKeyRecord(row), key };
}

/** Revoked keys don't count against the plan's quota. They have a bound of their own, because they stay in the list. */
async function requireRoomForKey(tx: TenantTransaction): Promise<void> {
  const tenant = await tx.repository(tenantEntity).findOne({});
  if (!tenant) throw notFound('Tenant');
  const { active, revoked } = await tx.one(countKeys);
  requireQuota('api_keys', { used: active, allowed: effectiveQuotas(tenant).api_keys });
  if (revoked >= MAX_REVOKED_KEYS)
    throw new AppError('quota_exceeded', `There are ${revoked} revoked API keys: delete some of them first.`);
}
