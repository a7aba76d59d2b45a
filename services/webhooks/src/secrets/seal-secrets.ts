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
  const own = before.headers === null ? null : resealedHeaders(secrets, owner, before.headers);
  const secret = current?.secret ?? before.secret;
  const previous_secret = previous?.secret ?? kept;
  const headers = own ?? before.headers;
  return {
    before,
    secret,
    secret_last_four: current?.secret_last_four ?? null,
    previous_secret,
    headers,
    isChanged:
      secret !== before.secret || previous_secret !== before.previous_secret || headers !== before.headers,
    isUnreadable:
      current === null || (kept !== null && previous === null) || (before.headers !== null && own === null),
  };
}

/** Null where the key is missing. What the present key has sealed stays as it is. */
const resealed = (
  secrets: SigningSecrets,
  owner: SecretOwner,
  stored: string,
): Partial<SealedSecret> | null =>
  ifReadable(() => {
    const secret = secrets.open(owner, stored);
    return secrets.isSealedNow(stored) ? { secret: stored } : secrets.seal(owner, secret);
  });

/** The same of headers. */
const resealedHeaders = (secrets: SigningSecrets, owner: SecretOwner, stored: string): string | null =>
  ifReadable(() => (secrets.isSealedNow(stored) ? stored : secrets.resealHeaders(owner, stored)));

function ifReadable<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof SecretBoxError) return null;
    throw error;
  }
}
