import { readFile } from 'node:fs/promises';
import { EngineAccessError, enginePasswords, isTlsFault } from '@frontdesk/service';
import type { RedisOptions } from 'ioredis';

/** What Redis answers to a wrong user or password, to none, and to one without the right to a command or a key. */
const REFUSED = /\b(WRONGPASS|NOAUTH|NOPERM)\b/;
const WRONG_PASSWORD = /\bWRONGPASS\b/;
const NO_RIGHT = /\bNOPERM\b/;

export interface RedisAccess {
  /** `redis://` or `rediss://`; with a user and no password, the password is read from the file. */
  url: string;
  /** ENGINE_PASSWORDS_FILE. */
  passwordsFile?: string | undefined;
  /** REDIS_CA_FILE: the authority that the server's certificate must come from, for `rediss://`. */
  caFile?: string | undefined;
}

/** Undefined where the URL has a password, or no user. */
const passwordsFileOf = ({ url, passwordsFile }: RedisAccess): string | undefined => {
  const { username, password } = new URL(url);
  return username !== '' && password === '' ? passwordsFile : undefined;
};

/** Gives the next connection the authority that it trusts. @throws Error of one line that begins with the variable at fault */
export async function applyAuthority(settings: RedisOptions, { url, caFile }: RedisAccess): Promise<void> {
  if (!caFile) return;
  if (!url.startsWith('rediss:'))
    throw new EngineAccessError('REDIS_CA_FILE', new Error('REDIS_URL must begin with rediss://'));
  settings.tls = { ca: await readFile(caFile).catch(refuseAs('REDIS_CA_FILE')) };
}

interface ConnectionPassword {
  /** Gives the next connection the current password. */
  apply(): void;
  /** Call it with each error. @returns whether Redis refused the password and the next connection tries the earlier one */
  triesAnotherAfter(error: Error): boolean;
}

/**
 * While a password is being replaced, Redis may know only the earlier one: if it refuses the new one, the next connection tries the
 * earlier one.
 */
export function passwordOf(settings: RedisOptions, access: RedisAccess): ConnectionPassword {
  const file = passwordsFileOf(access);
  let refused: string | undefined;
  let hasAnother = false;
  return {
    apply() {
      if (!file) return;
      const [current, previous] = enginePasswords(file, 'redis');
      const isFallback = previous !== undefined && current === refused;
      const password = isFallback ? previous : current;
      if (password !== undefined) settings.password = password;
      hasAnother = previous !== undefined && !isFallback;
      refused = undefined;
    },
    triesAnotherAfter({ message }) {
      if (!hasAnother || !WRONG_PASSWORD.test(message)) return false;
      refused = settings.password;
      return true;
    },
  };
}

/** The error of a Redis that refuses the service, which names the variables to check; null for any other error. */
export function refusalOf(error: Error, access: RedisAccess): EngineAccessError | null {
  if (isTlsFault(error)) return new EngineAccessError(access.caFile ? 'REDIS_CA_FILE' : 'REDIS_URL', error);
  if (!REFUSED.test(error.message)) return null;
  const isPassword = passwordsFileOf(access) && !NO_RIGHT.test(error.message);
  return new EngineAccessError(`REDIS_URL${isPassword ? ', ENGINE_PASSWORDS_FILE' : ''}`, error);
}

const refuseAs = (variable: string) => (error: Error) => {
  throw new EngineAccessError(variable, error);
};
