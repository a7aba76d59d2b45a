import { SESSION_DAYS, SESSION_IDLE_HOURS } from '@frontdesk/contracts';
import type { SecretBox } from '@frontdesk/service';
import type { Redis } from 'ioredis';
import { createSealedValues } from './sealed-values.ts';
import type { StoredSession } from './session.rules.ts';

const LONGEST_MS = SESSION_DAYS * 86_400_000;

export type Sessions = ReturnType<typeof createSessions>;

export function createSessions(redis: Redis, secrets: SecretBox) {
  const values = createSealedValues<StoredSession>(redis, secrets, {
    prefix: 'settings:session:',
    seconds: SESSION_IDLE_HOURS * 3_600,
  });
  const unlessOver = (session: StoredSession | null) =>
    session && Date.now() - session.startedAt < LONGEST_MS ? session : null;

  return {
    /** @returns the token for the cookie. */
    begin: (session: StoredSession) => values.begin(session),
    /** Uses the session, which lives on. */
    find: async (token: string) => unlessOver(await values.find(token)),
    /** Looks at it without using it. */
    peek: async (token: string) => unlessOver(await values.peek(token)),
    end: (token: string) => values.end(token),
  };
}
