import { createHash, randomBytes } from 'node:crypto';
import { AppError } from '@frontdesk/service';
import type { Redis } from 'ioredis';
import type { StoredSession } from '../domain/session.ts';

const TOKEN_BYTES = 32;
/** Unused for so long, a session is over. */
const IDLE_SECONDS = 12 * 3_600;
/** However much it is used, it is over then. */
const LONGEST_MS = 7 * 86_400_000;

export interface Sessions {
  /** @returns the token for the cookie. */
  begin(session: Omit<StoredSession, 'startedAt'>): Promise<string>;
  /** Uses the session, which lives on. */
  find(token: string): Promise<StoredSession | null>;
  /** Looks at it without using it. */
  peek(token: string): Promise<StoredSession | null>;
  end(token: string): Promise<void>;
}

/** Redis keeps only a hash of each token: who reads Redis can't sign in with what is there. */
export function createSessions(redis: Redis): Sessions {
  const keyOf = (token: string) =>
    `settings:session:${createHash('sha256').update(token).digest('base64url')}`;

  return {
    async begin(session) {
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      const stored: StoredSession = { ...session, startedAt: Date.now() };
      await answerOf(redis.set(keyOf(token), JSON.stringify(stored), 'EX', IDLE_SECONDS));
      return token;
    },
    find: async (token) => fromText(await answerOf(redis.getex(keyOf(token), 'EX', IDLE_SECONDS))),
    peek: async (token) => fromText(await answerOf(redis.get(keyOf(token)))),
    async end(token) {
      await answerOf(redis.del(keyOf(token)));
    },
  };
}

/** Null where it is over. */
function fromText(text: string | null): StoredSession | null {
  if (text === null) return null;
  const session = JSON.parse(text) as StoredSession;
  return Date.now() - session.startedAt < LONGEST_MS ? session : null;
}

/** Without Redis nobody is signed in, and nobody is signed out either: the pages are away until it is back. */
export async function answerOf<Value>(answer: Promise<Value>): Promise<Value> {
  try {
    return await answer;
  } catch (cause) {
    throw new AppError('service_unavailable', 'Settings are not available right now. Please try again.', {
      cause,
      headers: { 'retry-after': '1' },
    });
  }
}
