import type { CreateCallSource, Quotas } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { requireQuota, type SecretBox } from '@frontdesk/service';
import { countSourcesLocked, insertSource } from '../data/call-source.repository.ts';
import type { CallSourceRow } from '../domain/call-source.ts';
import { newToken, sealedSecret } from './source-secret.ts';

/** @throws AppError `quota_exceeded`; `validation_failed` where the provider dictates the secret and none is given */
export async function createSource(
  tx: TenantTransaction,
  secrets: SecretBox,
  { provider, name, settings, secret }: CreateCallSource,
  quotas: Quotas,
): Promise<CallSourceRow> {
  // Paused sources count too, so that resuming one needs no check.
  requireQuota('call_sources', { used: await countSourcesLocked(tx), allowed: quotas.call_sources });
  const token = newToken();
  const sealed = sealedSecret(secrets, { tenant_id: tx.tenantId, token, provider }, secret);
  return insertSource(tx, { token, provider, name, settings, ...sealed });
}
