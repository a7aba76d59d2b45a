import type { Database } from '@frontdesk/database';
import { SecretBoxError } from '@frontdesk/service';
import {
  findSealedOtherwise,
  type ResealedSecrets,
  resealSecrets,
  type StoredSecrets,
} from '../data/stored-secret.repository.ts';
import type { SigningSecrets } from '../domain/signing-secrets.ts';

const BATCH = 500;

/**
 * Seals by the present key whatever is sealed by another one, or not yet. A secret whose key is gone stays as it is: its endpoint
 * takes a new one, or the key comes back.
 */
export async function sealSecrets(deps: {
  database: Database;
  secrets: SigningSecrets;
}): Promise<{ sealed: number; unreadable: number }> {
  const { database, secrets } = deps;
  const told = { sealed: 0, unreadable: 0 };
  for (let after = 0; ; ) {
    const stored = await findSealedOtherwise(database.system, secrets.keyId, after, BATCH);
    const resealed = stored.flatMap((row) => resealedOf(secrets, row) ?? []);
    if (resealed.length > 0) told.sealed += await resealSecrets(database.system, resealed);
    told.unreadable += stored.length - resealed.length;
    const last = stored.at(-1);
    if (!last || stored.length < BATCH) return told;
    after = last.id;
  }
}

function resealedOf(secrets: SigningSecrets, before: StoredSecrets): ResealedSecrets | null {
  const owner = { tenantId: before.tenant_id, endpointId: before.id };
  const anew = (stored: string) => secrets.seal(owner, secrets.open(owner, stored));
  try {
    const previous_secret = before.previous_secret === null ? null : anew(before.previous_secret).secret;
    return { before, ...anew(before.secret), previous_secret };
  } catch (error) {
    if (error instanceof SecretBoxError) return null;
    throw error;
  }
}
