import { createHash } from 'node:crypto';
import { type createdApiKey, generateApiKey } from '@frontdesk/contracts';
import { isConstraintViolation, type TenantScope } from '@frontdesk/database';
import { notFound } from '@frontdesk/service';
import type { z } from 'zod';
import { apiKeyEntity, apiKeyRecord } from '../data/api-key.entity.ts';

/** Makes a key. Its plaintext is in this answer and nowhere else. */
export async function createKey(
  deps: { scope: TenantScope; announce: (tenantId: number) => void },
  name: string,
): Promise<z.infer<typeof createdApiKey>> {
  const { scope, announce } = deps;
  const key = generateApiKey();
  try {
    const row = await scope.repository(apiKeyEntity).insert({
      name,
      keyHash: createHash('sha256').update(key).digest(),
      lastFour: key.slice(-4),
      lastUsedAt: null,
    });
    announce(scope.tenantId);
    return { ...apiKeyRecord(row), key };
  } catch (error) {
    if (isConstraintViolation(error, 'api_keys_tenant')) throw notFound('Tenant');
    throw error;
  }
}
