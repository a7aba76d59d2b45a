import type { rotatedSecret } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { invalid, notFound, type RequireVersion } from '@frontdesk/service';
import type { z } from 'zod';
import { updateSecret } from '../data/endpoint.repository.ts';
import { lockEndpoint } from '../data/endpoint-lock.repository.ts';
import { generateSecret } from '../domain/signature.ts';
import type { SigningSecrets } from '../state/signing-secrets.ts';

const SIGNED_BY_BOTH_MS = 86_400_000;

/** What the answer has beside the new secret. */
export type Rotation = Omit<z.output<typeof rotatedSecret>, 'secret'>;

/**
 * Replaces the signing secret; for a day the one before signs as well. While it does, another rotation would cut off
 * receivers that know only the first: that takes `force`.
 * @throws AppError `not_found`, `precondition_failed`, `validation_failed`
 */
export async function rotateSecret(
  tx: TenantTransaction,
  secrets: SigningSecrets,
  id: number,
  { force, requireVersion }: { force: boolean; requireVersion: RequireVersion },
): Promise<{ version: number; record: Rotation; secret: string }> {
  const held = await lockEndpoint(tx, id);
  if (held === null) throw notFound('Webhook endpoint');
  requireVersion(held.version);
  const now = new Date();
  if (held.previous_secret_until !== null && held.previous_secret_until > now && !force) {
    throw invalid({
      force: [
        'The secret was replaced less than a day ago, and the previous one would stop working at once. Send force to replace it anyway.',
      ],
    });
  }
  const secret = generateSecret();
  const sealed = secrets.seal({ tenantId: tx.tenantId, endpointId: id }, secret);
  const until = new Date(now.getTime() + SIGNED_BY_BOTH_MS);
  const { version } = await updateSecret(tx, held, sealed, until);
  return { version, record: { id, previous_secret_until: until.toISOString() }, secret };
}
