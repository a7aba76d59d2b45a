import type { CreateCallSource } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import type { SecretBox } from '@frontdesk/service';
import { type CallSourceRow, insertSource } from '../data/call-source.repository.ts';
import { newToken, sealedSecret } from './source-secret.ts';

/** @throws AppError `validation_failed` where the provider dictates the secret and none is given */
export function createSource(
  tx: TenantTransaction,
  secrets: SecretBox,
  { provider, name, settings, secret }: CreateCallSource,
): Promise<CallSourceRow> {
  const token = newToken();
  const sealed = sealedSecret(secrets, { tenantId: tx.tenantId, token, provider }, secret);
  return insertSource(tx, { token, provider, name, settings, ...sealed });
}
