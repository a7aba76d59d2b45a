import type { TenantScope } from '@frontdesk/database';
import { notFound } from '@frontdesk/service';
import { type ApiKeyRow, apiKeyEntity } from '../data/api-key.entity.ts';

/** Disables a key for good; it stays listed. Revoking it again changes nothing, but is announced again. */
export async function revokeKey(
  deps: { scope: TenantScope; announce: (tenantId: number) => void },
  id: number,
): Promise<ApiKeyRow> {
  const keys = deps.scope.repository(apiKeyEntity);
  const changed = await keys.update({ id }, { isActive: false });
  deps.announce(deps.scope.tenantId);
  if (changed === 0) throw notFound('API key');
  const row = await keys.findOne({ id });
  if (!row) throw notFound('API key');
  return row;
}
