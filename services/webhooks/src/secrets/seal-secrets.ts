import type { SystemScope } from '@frontdesk/database';
import { type Resealed, type Sealing, SecretBoxError, sealAnew } from '@frontdesk/service';
import type { SealedSecret, SecretOwner } from './sealed-secret.rules.ts';
import type { SigningSecrets } from './signing-secrets.cache.ts';
import {
  findSealedOtherwise,
  type ResealedSecrets,
  resealSecrets,
  type StoredSecrets,
} from './stored-secret.repository.ts';

/**
 * Seals by the present key whatever is sealed by another one, or not yet, and forgets previous secrets that sign no more. A secret
 * whose key is gone stays as it is, whatever becomes of the other one of its endpoint: that takes a new one, or the key comes back.
 */
export const sealSecrets = (system: SystemScope, secrets: SigningSecrets): Promise<Sealing> =>
  sealAnew({
    find: (afterId, limit) => findSealedOtherwise(system, secrets.keyId, afterId, limit),
    reseal: (row) => resealedOf(secrets, row),
    write: (rows) => resealSecrets(system, rows),
  });

function resealedOf(secrets: SigningSecrets, before: StoredSecrets): ResealedSecrets & Resealed {
  const owner = { tenantId: before.tenant_id, endpointId: before.id };
  const current = resealed(secrets, owner, before.secret);
  const kept = before.has_previous_expired ? null : before.previous_secret;
  const previous = kept === null ? null : resealed(secrets, owner, kept);
  const secret = current?.secret ?? before.secret;
  const previous_secret = previous?.secret ?? kept;
  return {
    before,
    secret,
    secret_last_four: current?.secret_last_four ?? null,
    previous_secret,
    isChanged: secret !== before.secret || previous_secret !== before.previous_secret,
    isUnreadable: current === null || (kept !== null && previous === null),
  };
}

/** Null where the key is missing. What the present key has sealed stays as it is. */
function resealed(secrets: SigningSecrets, owner: SecretOwner, stored: string): Partial<SealedSecret> | null {
  try {
    const secret = secrets.open(owner, stored);
    return secrets.isSealedNow(stored) ? { secret: stored } : secrets.seal(owner, secret);
  } catch (error) {
    if (error instanceof SecretBoxError) return null;
    throw error;
  }
}
