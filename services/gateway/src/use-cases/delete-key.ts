import type { TenantScope } from '@frontdesk/database';
import { notFound } from '@frontdesk/service';
import { apiKeyEntity } from '../data/api-key.entity.ts';

/** Removes a key, row and all. */
export async function deleteKey(
  deps: { scope: TenantScope; announce: (tenantId: number) => void },
  id: number,
): Promise<void> {
  const removed = await deps.scope.repository(apiKeyEntity).delete({ id });
  if (removed === 0) throw notFound('API key');
  deps.announce(deps.scope.tenantId);
}
