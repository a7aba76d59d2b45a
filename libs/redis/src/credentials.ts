import { readFile } from 'node:fs/promises';
import { EngineRefusal, enginePasswords, isTlsFault } from '@frontdesk/service';
import type { Redis } from 'ioredis';

/** What Redis answers to a wrong user or password, to none, and to one without the right to a command or a key. */
const REFUSED = /\b(WRONGPASS|NOAUTH|NOPERM)\b/;
const WRONG_PASSWORD = /\bWRONGPASS\b/;
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

/** Gives the connection the authority that it trusts. @throws Error of one line that begins with the variable at fault */
export async function applyAuthority(redis: Redis, { url, caFile }: RedisAccess): Promise<void> {
  if (!caFile) return;
  if (!url.startsWith('rediss:'))
    throw new EngineRefusal('REDIS_CA_FILE', new Error('REDIS_URL must begin with rediss://'));
  redis.options.tls = { ca: await readFile(caFile).catch(refuseAs('REDIS_CA_FILE')) };
}

interface ConnectionPassword {
  /** Gives the next connection the password of the moment, before it is made. */
  apply(): void;
  /** To be told of each error. @returns whether Redis refused the password and the next connection brings the earlier one */
  triesAnotherAfter(error: Error): boolean;
}

/**
 * While a password is being replaced, Redis knows the new one or still the earlier one alone: where it refuses the new one, the next
 * connection brings the earlier one.
 */
export function passwordOf(redis: Redis, access: RedisAccess): ConnectionPassword {
  const file = passwordsFileOf(access);
  let refused: string | undefined;
  let hasAnother = false;
  return {
    apply() {
      if (!file) return;
      const [current, previous] = enginePasswords(file, 'redis');
      const isFallback = previous !== undefined && current === refused;
      redis.options.password = isFallback ? previous : current;
      hasAnother = previous !== undefined && !isFallback;
      refused = undefined;
    },
    triesAnotherAfter({ message }) {
      if (!hasAnother || !WRONG_PASSWORD.test(message)) return false;
      refused = redis.options.password;
      return true;
    },
  };
}

/** The refusal that Redis answered with, naming the variables to check; null where Redis is away. */
export function refusalOf(error: Error, access: RedisAccess): EngineRefusal | null {
  if (isTlsFault(error)) return new EngineRefusal(access.caFile ? 'REDIS_CA_FILE' : 'REDIS_URL', error);
  if (!REFUSED.test(error.message)) return null;
  const isPassword = passwordsFileOf(access) && !NO_RIGHT.test(error.message);
  return new EngineRefusal(`REDIS_URL${isPassword ? ', ENGINE_PASSWORDS_FILE' : ''}`, error);
}

const refuseAs = (variable: string) => (error: Error) => {
  throw new EngineRefusal(variable, error);
};
