import { SESSION_DAYS, SESSION_IDLE_HOURS } from '@frontdesk/contracts';
import type { SecretBox } from '@frontdesk/service';
import type { Redis } from 'ioredis';
import { hashToken } from '../accounts/tokens.rules.ts';
import { answerOf, createSealedValues } from './sealed-values.ts';
import { notSignedIn, type OwnedSession, type SignInProof, type StoredSession } from './session.rules.ts';

const LONGEST_MS = SESSION_DAYS * 86_400_000;
/** Sessions of an account. With one more the oldest ends. */
export const MOST_SESSIONS = 200;

export type Sessions = ReturnType<typeof createSessions>;

/** Sessions, and a list of them for each account, by the time when they began or were first seen. */
export function createSessions(redis: Redis, secrets: SecretBox) {
  const values = createSealedValues<StoredSession>(redis, secrets, {
    prefix: 'settings:session:',
    seconds: SESSION_IDLE_HOURS * 3_600,
  });
  const listOf = (accountId: number) => `settings:sessions:${accountId}`;
  const isOver = ({ startedAt }: StoredSession) => Date.now() - startedAt >= LONGEST_MS;
  const unlessOver = (session: StoredSession | null) => (session && !isOver(session) ? session : null);

  /** Ends sessions of an account by their ids. */
  const endOf = async (accountId: number, ids: readonly string[]): Promise<void> => {
    if (ids.length === 0) return;
    await values.endAll(ids);
    await answerOf(redis.zrem(listOf(accountId), ...ids));
  };
  const add = async (accountId: number, id: string) => {
    const list = listOf(accountId);
    const nowMs = Date.now();
    const [beyond] = await answerOf(
      Promise.all([
        redis.zadd(list, nowMs, id).then(() => redis.zrange(list, 0, -1 - MOST_SESSIONS)),
        redis.pexpireat(list, nowMs + LONGEST_MS),
      ]),
    );
    await endOf(accountId, beyond);
  };

  return {
    endOf,
    /**
     * `claim` ends what the session comes of, once there is room for the session: a Redis that is full signs nobody out.
     * @returns the token for the cookie
     * @throws AppError `unauthorized` where `claim` answers that another request was faster
     */
    async begin(session: OwnedSession, claim = async () => true): Promise<string> {
      const token = await values.begin(session);
      if (!(await claim())) {
        await values.end(token);
        throw notSignedIn();
      }
      await add(session.accountId, hashToken(token));
      return token;
    },
    /** Uses the session, which prolongs it. */
    find: async (token: string) => unlessOver(await values.find(token)),
    /** Looks at it without using it. */
    peek: async (token: string) => unlessOver(await values.peek(token)),
    /** Puts a session of 0.1.0, which doesn't say its account, into the list of its account. */
    async adopt(token: string, session: OwnedSession): Promise<void> {
      if (await values.replace(token, session)) await add(session.accountId, hashToken(token));
    },
    /** Stores when the password was shown again. @returns false where the session is over */
    async confirm(token: string, confirmedAt: number): Promise<boolean> {
      const session = await values.peek(token);
      return session !== null && values.replace(token, { ...session, confirmedAt });
    },
    /** All valid sessions of the account, the latest used first. */
    async list({ accountId, credentialsVersion, sessionsVersion }: SignInProof) {
      const ids = await answerOf(redis.zrange(listOf(accountId), 0, -1));
      const kept = (await values.list(ids)).filter(({ value }) => !isOver(value));
      const keptIds = new Set(kept.map(({ id }) => id));
      await endOf(
        accountId,
        ids.filter((id) => !keptIds.has(id)),
      );
      return kept
        .filter(
          ({ value }) =>
            value.accountId === accountId &&
            value.credentialsVersion === credentialsVersion &&
            value.sessionsVersion === sessionsVersion,
        )
        .sort((a, b) => a.idleMs - b.idleMs);
    },
    /** @returns whether it was there: of several requests at once one gets true */
    async end(token: string): Promise<boolean> {
      const session = await values.peek(token);
      const wasThere = await values.end(token);
      if (session?.accountId !== undefined)
        await answerOf(redis.zrem(listOf(session.accountId), hashToken(token)));
      return wasThere;
    },
  };
}
