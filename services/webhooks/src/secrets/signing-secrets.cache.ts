import type { SecretBox } from '@frontdesk/service';
import { LRUCache } from 'lru-cache';
import type { SealedSecret, SecretOwner } from './sealed-secret.rules.ts';

const MAX_OPENED = 10_000;
const SEALED = /^v1\./;

export type SigningSecrets = ReturnType<typeof createSigningSecrets>;

/**
 * Signing secrets as they are stored: sealed, and only for the endpoint whose they are. Those that deliveries are signed with stay
 * open in memory.
 */
export function createSigningSecrets(box: SecretBox) {
  const opened = new LRUCache<string, string>({ max: MAX_OPENED });
  const contextOf = ({ tenantId, endpointId }: SecretOwner) => `${tenantId}:${endpointId}`;

  return {
    seal: (owner: SecretOwner, secret: string): SealedSecret => ({
      secret: box.seal(secret, contextOf(owner)),
      secret_last_four: secret.slice(-4),
    }),
    /**
     * One that a release stored which didn't seal yet is what it says.
     * @throws SecretBoxError
     */
    open(owner: SecretOwner, stored: string): string {
      if (!SEALED.test(stored)) return stored;
      const context = contextOf(owner);
      // As a whole, so that nothing opened for one endpoint is found for another.
      const place = `${context} ${stored}`;
      const known = opened.get(place);
      if (known !== undefined) return known;
      const secret = box.open(stored, context);
      opened.set(place, secret);
      return secret;
    },
    /** What is stored is sealed by this key, or is to be sealed anew. */
    keyId: box.keyId,
    otherKeyIds: box.otherKeyIds,
    isSealedNow: (stored: string) => SEALED.test(stored) && stored.split('.')[1] === box.keyId,
  };
}
