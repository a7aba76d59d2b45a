import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

export interface SecretKey {
  /** Kept with what the key sealed, so that it is found again after others took its place. */
  id: string;
  key: Buffer;
}

/** Encrypts short secrets for storage. */
export interface SecretBox {
  /** Of the key that seals. */
  readonly keyId: string;
  /** Of the keys that only open. */
  readonly otherKeyIds: readonly string[];
  /** `v1.<keyId>.<iv>.<ciphertext and tag>`, by the first key. `context`, say `tenant:source`, is needed again to open it. */
  seal(text: string, context: string): string;
  /** @throws SecretBoxError when it was sealed in another context or by an unknown key, or was tampered with */
  open(sealed: string, context: string): string;
}

/** Never contains the text, nor a key. */
export class SecretBoxError extends Error {
  override name = 'SecretBoxError';
}

/**
 * The first key seals, all of them open what they sealed.
 * @throws SecretBoxError that names the key which is no good
 */
export function createSecretBox(keys: readonly SecretKey[]): SecretBox {
  const [sealing, ...others] = keys;
  if (!sealing) throw new SecretBoxError('A secret box needs a key.');
  const keyOf = new Map(keys.map((key) => [checkedId(key), key.key]));
  if (keyOf.size < keys.length) throw new SecretBoxError('Two keys have the same id.');

  return {
    keyId: sealing.id,
    otherKeyIds: others.map(({ id }) => id),
    seal(text, context) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(ALGORITHM, sealing.key, iv).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return ['v1', sealing.id, iv.toString('base64url'), sealed.toString('base64url')].join('.');
    },
    open(sealed, context) {
      const [version, id = '', iv = '', data = '', ...rest] = sealed.split('.');
      if (version !== 'v1' || rest.length > 0) throw new SecretBoxError('Not a sealed secret.');
      const key = keyOf.get(id);
      if (!key) throw new SecretBoxError(`No key with the id ${id} is configured.`);
      return decrypt(key, Buffer.from(iv, 'base64url'), Buffer.from(data, 'base64url'), context);
    },
  };
}

function checkedId({ id, key }: SecretKey): string {
  if (!/^[A-Za-z0-9_-]{1,32}$/.test(id)) throw new SecretBoxError('The id of a key must be a word.');
  if (key.length !== KEY_BYTES)
    throw new SecretBoxError(`The key ${id} must be ${KEY_BYTES} bytes long, not ${key.length}.`);
  return id;
}

function decrypt(key: Buffer, iv: Buffer, data: Buffer, context: string): string {
  if (iv.length !== IV_BYTES || data.length < TAG_BYTES) throw new SecretBoxError('Not a sealed secret.');
  try {
    const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(context))
      .setAuthTag(data.subarray(-TAG_BYTES));
    return decipher.update(data.subarray(0, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    throw new SecretBoxError('The secret was sealed by another key, in another context, or was changed.');
  }
}
