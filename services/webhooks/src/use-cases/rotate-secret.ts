import type { TenantTransaction } from '@frontdesk/database';
import { invalid, notFound, type RequireVersion } from '@frontdesk/service';
import { updateSecret } from '../data/endpoint.repository.ts';
import { lockEndpoint } from '../data/endpoint-lock.repository.ts';
import { generateSecret } from '../domain/signature.ts';
import type { SigningSecrets } from '../state/signing-secrets.ts';

/** How long deliveries are signed by the previous secret, too. */
const BOTH_SIGN_HOURS = 24;

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
) {
  const held = await lockEndpoint(tx, id);
  if (held === null) throw notFound('Webhook endpoint');
  requireVersion(held.version);
  const secret = generateSecret();
  const sealed = secrets.seal({ tenantId: tx.tenantId, endpointId: id }, secret);
  const rotated = await updateSecret(tx, { id, ...sealed }, { force, bothSignHours: BOTH_SIGN_HOURS });
  if (rotated === null)
    throw invalid({
      force: [
        'The secret was replaced less than a day ago, and the previous one would stop working at once. Send force to replace it anyway.',
      ],
    });
  const { version, previous_secret_until: until } = rotated;
  return { version, record: { id, previous_secret_until: until.toISOString() }, secret };
}
