import { isFull } from '@frontdesk/redis';
import { AppError, type SecretBox, SecretBoxError } from '@frontdesk/service';
import type { Redis } from 'ioredis';
import { hashToken, newToken } from '../accounts/tokens.rules.ts';

export type SealedValues<Value> = ReturnType<typeof createSealedValues<Value>>;

/**
 * Values in Redis that a cookie's token leads to. The id of a value is its token's hash, so that reading Redis gives nobody a token.
 * Each value is sealed for its own key, so that writing to Redis can't forge, change or swap values.
 */
export function createSealedValues<Value>(
  redis: Redis,
  secrets: SecretBox,
  { prefix, seconds }: { prefix: string; seconds: number },
) {
  const keyOf = (id: string) => `${prefix}${id}`;
  const seal = (value: Value, key: string) => secrets.seal(JSON.stringify(value), key);
  const open = (sealed: string | null | undefined, key: string): Value | null => {
    if (sealed == null) return null;
    try {
      return JSON.parse(secrets.open(sealed, key)) as Value;
    } catch (error) {
      // Not sealed here, or not for this key.
      if (error instanceof SecretBoxError) return null;
      throw error;
    }
  };
  const read = async (token: string, ask: (key: string) => Promise<string | null>) => {
    const key = keyOf(hashToken(token));
    return open(await answerOf(ask(key)), key);
  };

  return {
    /** @returns the token for the cookie */
    async begin(value: Value): Promise<string> {
      const token = newToken();
      const key = keyOf(hashToken(token));
      await answerOf(redis.set(key, seal(value, key), 'EX', seconds));
      return token;
    },
    /** Replaces and uses a value. @returns false where it is over */
    async replace(token: string, value: Value): Promise<boolean> {
      const key = keyOf(hashToken(token));
      return (await answerOf(redis.set(key, seal(value, key), 'EX', seconds, 'XX'))) === 'OK';
    },
    /** Uses a value, which prolongs it. */
    find: (token: string) =>
      read(token, async (key) => {
        try {
          return await redis.getex(key, 'EX', seconds);
        } catch (error) {
          // Without a disk Redis refuses this as a write; reading goes on.
          if (!isFull(error)) throw error;
          return redis.get(key);
        }
      }),
    /** Looks at a value without using it. */
    peek: (token: string) => read(token, (key) => redis.get(key)),
    /** The values of these ids that are there, with the time since their last use. */
    async list(ids: readonly string[]): Promise<{ id: string; value: Value; idleMs: number }[]> {
      if (ids.length === 0) return [];
      const keys = ids.map(keyOf);
      const [sealed, ...leftMs] = await answerOf(
        Promise.all([redis.mget(keys), ...keys.map((key) => redis.pttl(key))]),
      );
      return ids.flatMap((id, place) => {
        const value = open(sealed[place], keyOf(id));
        const idleMs = Math.max(0, seconds * 1_000 - (leftMs[place] ?? 0));
        return value === null ? [] : [{ id, value, idleMs }];
      });
    },
    /** @returns whether it was there */
    end: async (token: string): Promise<boolean> =>
      (await answerOf(redis.del(keyOf(hashToken(token))))) === 1,
    endAll: async (ids: readonly string[]): Promise<void> => void (await answerOf(redis.del(ids.map(keyOf)))),
  };
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
