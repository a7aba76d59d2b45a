import type { SystemScope } from '@frontdesk/database';
import { SecretBoxError } from '@frontdesk/service';
import {
  findSealedOtherwise,
  type ResealedSecrets,
  resealSecrets,
  type StoredSecrets,
} from '../data/stored-secret.repository.ts';
import type { SealedSecret, SecretOwner } from '../domain/sealed-secret.ts';
import type { SigningSecrets } from '../state/signing-secrets.ts';

const BATCH = 500;

/**
 * Seals by the present key whatever is sealed by another one, or not yet, and forgets previous secrets that sign no more. A secret
 * whose key is gone stays as it is, whatever becomes of the other one of its endpoint: that takes a new one, or the key comes back.
 */
export async function sealSecrets(
  system: SystemScope,
  secrets: SigningSecrets,
): Promise<{ sealed: number; unreadable: number }> {
  const counts = { sealed: 0, unreadable: 0 };
  for (let after = 0; ; ) {
    const stored = await findSealedOtherwise(system, secrets.keyId, after, BATCH);
    const resealed = stored.map((row) => resealedOf(secrets, row));
    const changed = resealed.filter(isChanged);
    if (changed.length > 0) counts.sealed += await resealSecrets(system, changed);
    counts.unreadable += resealed.filter((row) => row.isUnreadable).length;
    const last = stored.at(-1);
    if (!last || stored.length < BATCH) return counts;
    after = last.id;
  }
}

interface Resealing extends ResealedSecrets {
  isUnreadable: boolean;
}

function resealedOf(secrets: SigningSecrets, before: StoredSecrets): Resealing {
  const owner = { tenantId: before.tenant_id, endpointId: before.id };
  const current = resealed(secrets, owner, before.secret);
  const kept = before.has_previous_expired ? null : before.previous_secret;
  const previous = kept === null ? null : resealed(secrets, owner, kept);
  return {
    before,
    secret: current?.secret ?? before.secret,
    secret_last_four: current?.secret_last_four ?? null,
    previous_secret: previous?.secret ?? kept,
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

const isChanged = ({ before, secret, previous_secret }: ResealedSecrets) =>
  secret !== before.secret || previous_secret !== before.previous_secret;
