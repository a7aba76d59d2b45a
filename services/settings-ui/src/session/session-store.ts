import { createHash, randomBytes } from 'node:crypto';
import { SESSION_DAYS, SESSION_IDLE_HOURS } from '@frontdesk/contracts';
import { isFull } from '@frontdesk/redis';
import { AppError, type SecretBox, SecretBoxError } from '@frontdesk/service';
import type { Redis } from 'ioredis';
import type { StoredSession } from './session.rules.ts';

const TOKEN_BYTES = 32;
const IDLE_SECONDS = SESSION_IDLE_HOURS * 3_600;
const LONGEST_MS = SESSION_DAYS * 86_400_000;

export type Sessions = ReturnType<typeof createSessions>;

/**
 * Sessions in Redis. Tokens are stored hashed, so that reading Redis signs nobody in. Each session is sealed for its
 * own key, so that writing to Redis can't forge, change or swap sessions.
 */
export function createSessions(redis: Redis, secrets: SecretBox) {
  const keyOf = (token: string) =>
    `settings:session:${createHash('sha256').update(token).digest('base64url')}`;
  const read = async (token: string, ask: (key: string) => Promise<string | null>) => {
    const key = keyOf(token);
    return opened(secrets, await answerOf(ask(key)), key);
  };

  return {
    /** @returns the token for the cookie. */
    async begin(session: Omit<StoredSession, 'startedAt'>) {
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      const stored: StoredSession = { ...session, startedAt: Date.now() };
      const key = keyOf(token);
      const sealed = secrets.seal(JSON.stringify(stored), key);
      await answerOf(redis.set(key, sealed, 'EX', IDLE_SECONDS));
      return token;
    },
    /** Uses the session, which lives on. */
    find: (token: string) =>
      read(token, async (key) => {
        try {
          return await redis.getex(key, 'EX', IDLE_SECONDS);
        } catch (error) {
          // Without a disk Redis refuses this as a write; reading goes on.
          if (!isFull(error)) throw error;
          return redis.get(key);
        }
      }),
    /** Looks at it without using it. */
    peek: (token: string) => read(token, (key) => redis.get(key)),
    end: (token: string) => answerOf(redis.del(keyOf(token))),
  };
}

/** Null where the session is over, or was not sealed here for this key. */
function opened(secrets: SecretBox, sealed: string | null, key: string): StoredSession | null {
  if (sealed === null) return null;
  try {
    const session = JSON.parse(secrets.open(sealed, key)) as StoredSession;
    return Date.now() - session.startedAt < LONGEST_MS ? session : null;
  } catch (error) {
    if (error instanceof SecretBoxError) return null;
    throw error;
  }
}

const FULL =
  'Signing in and some forms don’t work right now, because nothing new can be stored for them. ' +
  'Nothing was changed. Please try again in a minute.';

/**
 * Without Redis nobody is signed in, and nobody is signed out either: the pages are away until it is back. While it is
 * full, sessions can be read and ended, and none begun.
 */
export async function answerOf<Value>(answer: Promise<Value>): Promise<Value> {
  try {
    return await answer;
  } catch (cause) {
    if (isFull(cause))
      throw new AppError('service_unavailable', FULL, { cause, headers: { 'retry-after': '30' } });
    throw new AppError('service_unavailable', 'Settings are not available right now. Please try again.', {
      cause,
      headers: { 'retry-after': '1' },
    });
  }
}
