import { webCrypto } from '../crypto.ts';

const SECRET_PREFIX = 'whsec_';
/** Web Crypto takes no bytes that threads share. */
export type Bytes = Uint8Array<ArrayBuffer>;

const utf8 = new TextEncoder();

/** Whether one of the signatures is one of the content by one of the keys. The comparison takes the same time for all. */
export async function isSignedByAny(
  content: Bytes,
  signatures: readonly Bytes[],
  keys: readonly Bytes[],
): Promise<boolean> {
  const { subtle } = await webCrypto();
  for (const key of keys) {
    const imported = await subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    for (const signature of signatures) {
      if (await subtle.verify('HMAC', imported, signature, content)) return true;
    }
  }
  return false;
}

/** `X-Service-Signature`'s key: the whole secret as it is written. */
export const serviceKey = (secret: string): Bytes => utf8.encode(secret);

/** Standard Webhooks' key: the bytes that the secret encodes. @throws where it encodes none */
export function standardKey(secret: string): Bytes {
  const key = fromBase64(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret);
  if (key.length === 0) throw new Error('The key is empty.');
  return key;
}

/** The signatures of version 1 in `webhook-signature`: one for each secret. */
export const standardSignatures = (header: string): Bytes[] =>
  header
    .split(' ')
    .flatMap((part) => (part.startsWith('v1,') ? readable(() => fromBase64(part.slice(3))) : []));

/** The signature in `X-Service-Signature`. */
export const serviceSignature = (header: string): Bytes[] => {
  const hex = /^sha256=((?:[0-9a-f]{2})+)$/.exec(header)?.[1] ?? '';
  return hex === '' ? [] : [Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))];
};

function fromBase64(text: string): Bytes {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function readable(read: () => Bytes): Bytes[] {
  try {
    return [read()];
  } catch {
    return [];
  }
}
