import type { SystemScope } from '@frontdesk/database';
import { type Resealed, type Sealing, type SecretBox, SecretBoxError, sealAnew } from '@frontdesk/service';
import {
  findSealedOtherwise,
  type ResealedSecret,
  resealSecrets,
  type SealedSource,
} from './sealed-source.repository.ts';
import { openedSecret, resealedSecret } from './source-secret.ts';

/**
 * Seals by the present key whatever is sealed by another one. A secret whose key is gone stays as it is: its source
 * takes a new one, or the key comes back.
 */
export const sealSecrets = (system: SystemScope, secrets: SecretBox): Promise<Sealing> =>
  sealAnew({
    find: (afterId, limit) => findSealedOtherwise(system, secrets.keyId, afterId, limit),
    reseal: (source) => resealedOf(secrets, source),
    write: (rows) => resealSecrets(system, rows),
  });

function resealedOf(secrets: SecretBox, before: SealedSource): ResealedSecret & Resealed {
  try {
    const sealed_secret = resealedSecret(secrets, before, openedSecret(secrets, before));
    return { before, sealed_secret, isChanged: true, isUnreadable: false };
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error;
    return { before, sealed_secret: before.sealed_secret, isChanged: false, isUnreadable: true };
  }
}
