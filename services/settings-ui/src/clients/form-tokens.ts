import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { LONGEST_MS } from '../domain/sign-in/session.ts';
import { answerOf } from './session-store.ts';

/** No session lives longer, and a form is sent again only within its session. */
const KEPT_SECONDS = LONGEST_MS / 1_000;

/** A form of a session, by its address and the random token of the page that it was drawn on. */
interface SentForm {
  session: string;
  action: string;
  formToken: string;
}

export type FormTokens = ReturnType<typeof createFormTokens>;

export function createFormTokens(redis: Redis) {
  const keyOf = ({ session, action, formToken }: SentForm) =>
    `settings:form:${createHash('sha256').update(`${session} ${action} ${formToken}`).digest('base64url')}`;
  return {
    /** @returns whether the form is sent for the first time. @throws AppError `service_unavailable` without Redis */
    take: async (form: SentForm) =>
      (await answerOf(redis.set(keyOf(form), '1', 'EX', KEPT_SECONDS, 'NX'))) === 'OK',
    /** Forgets it, where nothing came of it. */
    release: (form: SentForm) => answerOf(redis.del(keyOf(form))),
  };
}
