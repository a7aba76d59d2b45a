import type { TenantTransaction } from '@frontdesk/database';
import { notFound, type RequireVersion, type SecretBox } from '@frontdesk/service';
import { lockSource, updateSource } from '../data/call-source.repository.ts';
import type { CallSourceRow } from '../domain/call-source.ts';
import { sealedSecret } from './source-secret.ts';

/**
 * Replaces the secret; the one before is void at once, as it is at the provider.
 * @throws AppError `not_found`, `precondition_failed`, `validation_failed`
 */
export async function rotateSourceSecret(
  tx: TenantTransaction,
  secrets: SecretBox,
  id: number,
  { given, requireVersion }: { given: string | null | undefined; requireVersion: RequireVersion },
): Promise<CallSourceRow> {
  const source = await lockSource(tx, id);
  if (!source) throw notFound('Call source');
  requireVersion(source.version);
  return updateSource(tx, id, sealedSecret(secrets, source, given));
}
