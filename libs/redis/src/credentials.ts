import { readFile } from 'node:fs/promises';
import { EngineRefusal, enginePasswords, isTlsFault } from '@frontdesk/service';
import type { Redis } from 'ioredis';

/** What Redis answers to a wrong user or password, to none, and to one without the right to a command or a key. */
const REFUSED = /\b(WRONGPASS|NOAUTH|NOPERM)\b/;
const NO_RIGHT = /\bNOPERM\b/;

export interface RedisAccess {
  /** `redis://` or `rediss://`; with a user and without a password where that lies in a file. */
  url: string;
  /** ENGINE_PASSWORDS_FILE. */
  passwordsFile?: string | undefined;
  /** REDIS_CA_FILE: the authority that the server's certificate must come from, for `rediss://`. */
  caFile?: string | undefined;
}

/** Undefined where the URL says it all. */
const passwordsFileOf = ({ url, passwordsFile }: RedisAccess): string | undefined => {
  const { username, password } = new URL(url);
  return username !== '' && password === '' ? passwordsFile : undefined;
};

/** Gives the connection what it needs before it is made. @throws Error of one line that begins with the variable at fault */
export async function applyAccess(redis: Redis, access: RedisAccess): Promise<void> {
  const { url, caFile } = access;
  if (caFile) {
    if (!url.startsWith('rediss:'))
      throw new EngineRefusal('REDIS_CA_FILE', new Error('REDIS_URL must begin with rediss://'));
    redis.options.tls = { ca: await readFile(caFile).catch(refuseAs('REDIS_CA_FILE')) };
  }
  await applyPassword(redis, access);
}

/** The password may have been replaced since the connection was made. */
export async function applyPassword(redis: Redis, access: RedisAccess): Promise<void> {
  const file = passwordsFileOf(access);
  if (file) [redis.options.password] = await enginePasswords(file, 'redis');
}

/** Whether Redis answered with a refusal, which names the variables that it is about; null for one that is away. */
export function refusalOf(error: Error, access: RedisAccess): EngineRefusal | null {
  if (isTlsFault(error)) return new EngineRefusal(access.caFile ? 'REDIS_CA_FILE' : 'REDIS_URL', error);
  if (!REFUSED.test(error.message)) return null;
  const isPassword = passwordsFileOf(access) && !NO_RIGHT.test(error.message);
  return new EngineRefusal(`REDIS_URL${isPassword ? ', ENGINE_PASSWORDS_FILE' : ''}`, error);
}

const refuseAs = (variable: string) => (error: Error) => {
  throw new EngineRefusal(variable, error);
};
