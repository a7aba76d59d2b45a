import type { SecretBox } from '@frontdesk/service';
import { LRUCache } from 'lru-cache';
import type {
  CustomHeaders,
  HeadersOwner,
  SealedHeaders,
  SealedSecret,
  SecretOwner,
} from './sealed-secret.rules.ts';

const MAX_OPENED = 10_000;
/** Custom headers are up to a hundred times as long as a secret. */
const MAX_CHARACTERS = 8 * 1024 * 1024;
const SEALED = /^v1\./;

export type SigningSecrets = ReturnType<typeof createSigningSecrets>;

/**
 * Signing secrets and custom headers as they are stored: sealed, and only for the endpoint whose they are. Those that deliveries are sent
 * with stay open in memory.
 */
export function createSigningSecrets(box: SecretBox) {
  const opened = new LRUCache<string, string>({
    max: MAX_OPENED,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (text, place) => text.length + place.length,
  });
  const contextOf = ({ tenantId, endpointId }: SecretOwner) => `${tenantId}:${endpointId}`;
  /** Neither is taken for the other. */
  const contextOfHeaders = (owner: SecretOwner) => `${contextOf(owner)}:headers`;
  const openIn = (context: string, stored: string): string => {
    // As a whole, so that nothing opened for one endpoint is found for another.
    const place = `${context} ${stored}`;
    const known = opened.get(place);
    if (known !== undefined) return known;
    const text = box.open(stored, context);
    opened.set(place, text);
    return text;
  };

  return {
    seal: (owner: SecretOwner, secret: string): SealedSecret => ({
      secret: box.seal(secret, contextOf(owner)),
      secret_last_four: secret.slice(-4),
    }),
    /**
     * One that a release stored which didn't seal yet is what it says.
     * @throws SecretBoxError
     */
    open: (owner: SecretOwner, stored: string): string =>
      SEALED.test(stored) ? openIn(contextOf(owner), stored) : stored,
    sealHeaders({ url, ...owner }: HeadersOwner, headers: CustomHeaders): SealedHeaders {
      const header_names = Object.keys(headers);
      const isNone = header_names.length === 0;
      return {
        headers: isNone ? null : box.seal(JSON.stringify({ url, headers }), contextOfHeaders(owner)),
        header_names,
      };
    },
    /**
     * None where they are for another URL: a process of 0.1.0 changes the URL, and leaves them.
     * @throws SecretBoxError
     */
    openHeaders({ url, ...owner }: HeadersOwner, stored: string | null): CustomHeaders {
      if (stored === null) return {};
      const sealed = JSON.parse(openIn(contextOfHeaders(owner), stored)) as {
        url: string;
        headers: CustomHeaders;
      };
      return sealed.url === url ? sealed.headers : {};
    },
    /** By the present key, for the same URL. @throws SecretBoxError */
    resealHeaders: (owner: SecretOwner, stored: string): string =>
      box.seal(openIn(contextOfHeaders(owner), stored), contextOfHeaders(owner)),
    /** What is stored is sealed by this key, or is to be sealed anew. */
    keyId: box.keyId,
    otherKeyIds: box.otherKeyIds,
    isSealedNow: (stored: string) => SEALED.test(stored) && stored.split('.')[1] === box.keyId,
  };
}
