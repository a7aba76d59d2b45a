import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
const PARAMETERS = { memory: 19_456, passes: 2, parallelism: 1 };
const TAG_BYTES = 32;
const SALT_BYTES = 16;
const FORMAT = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Derives the tag of a password: the expensive step. */
export const derive = promisify(argon2);
export type Derive = typeof derive;
const encode = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');

/** Keyboards make the same letters of other characters: "ü" is one, or "u" and two dots. */
const normalized = (password: string) => password.normalize('NFC');

/** The normalised password's hash in PHC string format, parameters and salt included. */
export async function hashPassword(password: string, by: Derive = derive): Promise<string> {
  const nonce = randomBytes(SALT_BYTES);
  const tag = await by('argon2id', {
    message: normalized(password),
    nonce,
    tagLength: TAG_BYTES,
    ...PARAMETERS,
  });
  return textOf(nonce, tag);
}

/**
 * Whether the password is the one that was hashed: as it is typed, as earlier hashes are, or normalised. @throws Error where the text is no hash of ours.
 */
export async function verifyPassword(password: string, hash: string, by: Derive = derive): Promise<boolean> {
  const [, memory, passes, parallelism, salt, tag] = FORMAT.exec(hash) ?? [];
  if (!salt || !tag) throw new Error('The stored password hash can’t be read.');
  const expected = Buffer.from(tag, 'base64');
  const fits = async (message: string) => {
    const actual = await by('argon2id', {
      message,
      nonce: Buffer.from(salt, 'base64'),
      tagLength: expected.length,
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
    });
    return timingSafeEqual(actual, expected);
  };
  if (await fits(password)) return true;
  return normalized(password) !== password && (await fits(normalized(password)));
}

function textOf(nonce: Buffer, tag: Buffer): string {
  const { memory, passes, parallelism } = PARAMETERS;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(nonce)}$${encode(tag)}`;
}

/**
 * A hash that fits no password, with the same parameters as real ones: verifying it takes the time of a wrong password.
 */
export const DECOY_HASH = textOf(randomBytes(SALT_BYTES), randomBytes(TAG_BYTES));
