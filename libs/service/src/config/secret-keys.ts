import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { SecretKey } from './secret-box.ts';

const KEY_BYTES = 32;
const BASE64 = /^[A-Za-z0-9+/]{43}=$/;

const secretKeysFile = z.object({
  keys: z
    .array(
      z.object({
        id: z.string().regex(/^[A-Za-z0-9_-]{1,32}$/),
        key: z.string().regex(BASE64),
      }),
    )
    .min(1)
    .refine((keys) => new Set(keys.map(({ id }) => id)).size === keys.length),
});

/** The first one seals, each one opens what it sealed. */
export type SecretKeysFile = z.infer<typeof secretKeysFile>;

/** For services that keep others' secrets. Spread it into the service's own schema. */
export const secretKeysFileEnv = {
  SECRET_KEYS_FILE: z
    .string()
    .min(1)
    .describe('keys that seal secrets: the first one seals, all of them open'),
};

/** For those that keep them in a database. Spread it into the service's own schema. */
export const sealAfterEnv = {
  SEAL_AFTER_MS: z.coerce
    .number()
    .int()
    .nonnegative()
    .default(60_000)
    .describe('how long after its start a process seals anew what another key, or none, has sealed'),
};

/**
 * Reads SECRET_KEYS_FILE, in its order.
 * @throws Error that names the file and never what is in it.
 */
export async function loadSecretKeys(file: string): Promise<SecretKey[]> {
  const content = secretKeysFile.safeParse(await readKeys(file));
  if (!content.success) {
    throw new Error(
      `${file} must hold {"keys": [{"id", "key"}]}: different ids, and keys of ${KEY_BYTES} bytes in base64.`,
    );
  }
  return content.data.keys.map(({ id, key }) => ({ id, key: Buffer.from(key, 'base64') }));
}

async function readKeys(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${file} can't be read (${error.code}).`, { cause: error });
  });
  try {
    return JSON.parse(text);
  } catch {
    // Neither the message nor a cause: a parser's error repeats the text that it stumbled over.
    return null;
  }
}
