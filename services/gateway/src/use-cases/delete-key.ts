import type { TenantScope } from '@frontdesk/database';
import { notFound } from '@frontdesk/service';
import { apiKeyEntity } from '../data/api-key.entity.ts';

/** Removes a key, row and all. A key that is gone already may have gone unannounced: it is announced again. */
export async function deleteKey(
  deps: { scope: TenantScope; announce: (tenantId: number) => void },
  id: number,
): Promise<void> {
  const removed = await deps.scope.repository(apiKeyEntity).delete({ id });
  deps.announce(deps.scope.tenantId);
  if (removed === 0) throw notFound('API key');
}
