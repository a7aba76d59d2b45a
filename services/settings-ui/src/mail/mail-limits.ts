import { createHash } from 'node:crypto';
import { counterOf, countingWhileFull, createSharedLimiter, type RateWindow } from '@frontdesk/redis';
import type { Redis } from 'ioredis';
import { foldEmail } from '../accounts/account.rules.ts';
import { orNull } from '../clients/or-null.ts';
import { countedUnlessFailed, type Limit, rateLimited, takeOfEach, timeText } from '../limits/limits.ts';
import { answerOf } from '../session/sealed-values.ts';
import type { Session } from '../session/session.rules.ts';

const perHour = (limit: number): RateWindow => ({ seconds: 3_600, limit });
/** Emails that one member may have sent to others in an hour. */
const OF_SENDER = perHour(20);
/** Emails to one address in an hour: the links in them stay good, so nobody misses a sixth. */
const OF_RECIPIENT = perHour(5);
/** The same of an invitation, after the first email. */
const OF_INVITATION = perHour(OF_RECIPIENT.limit - 1);
/** Emails to one address in an hour, of all accounts that are to have it. */
const OF_ADDRESS = perHour(20);

const hashOf = (...parts: (string | number)[]) =>
  createHash('sha256').update(parts.join('\0')).digest('base64url');
const ofResets = (email: string): Limit => ({
  subject: `pages-mail-to:reset:${hashOf(foldEmail(email))}`,
  window: OF_RECIPIENT,
});

export type MailLimits = ReturnType<typeof createMailLimits>;

/** Bounds the emails that people ask for: by the person who asks, and by the address that gets them. */
export function createMailLimits(redis: Redis) {
  const limiter = countingWhileFull(createSharedLimiter(redis));
  /** Counts an email. @returns false where there were enough: then none is sent, and the answer stays the same */
  const take = async (...limits: Limit[]) => (await takeOfEach(limiter, limits)).spent === null;
  return {
    /** Counts an email that a member has sent to others, unless it fails. @throws AppError `rate_limited` */
    async countOfSender<Result>(
      { tenantId, membershipId }: { tenantId: number; membershipId: number },
      send: () => Promise<Result>,
    ): Promise<Result> {
      const subject = `pages-mail:${tenantId}:${membershipId}`;
      const { spent, secondsLeft, giveBack } = await takeOfEach(limiter, [{ subject, window: OF_SENDER }]);
      if (spent)
        throw rateLimited(
          `You have sent ${OF_SENDER.limit} emails within the hour. Please try again in ${timeText(secondsLeft)}.`,
          secondsLeft,
        );
      return countedUnlessFailed(giveBack, send);
    },
    /**
     * Counts one more email of an invitation, unless `send` fails. It may not send any where there were enough. Counted by
     * invitation: once it is revoked its links are void, and the next one to the address counts anew.
     */
    async countOfInvitation<Result>(
      { tenantId, invitationId }: { tenantId: number; invitationId: number },
      send: (maySend: boolean) => Promise<Result>,
    ): Promise<Result> {
      const subject = `pages-mail-to:invitation:${tenantId}:${invitationId}`;
      const { spent, giveBack } = await takeOfEach(limiter, [{ subject, window: OF_INVITATION }]);
      return countedUnlessFailed(giveBack, () => send(spent === null));
    },
    takeReset: (email: string) => take(ofResets(email)),
    /** The links that these addresses have got are void: the next ones count anew. */
    async forgetResets(...emails: string[]) {
      const keys = emails.map((email) => counterOf(ofResets(email).subject, OF_RECIPIENT));
      // What made them void is done, also where this can't be.
      await Promise.all(keys.map((key) => orNull(answerOf(redis.del(key)))));
    },
    /** Counted by what the link depends on: what voids earlier links makes the next ones count anew. */
    takeAddressLink: (
      email: string,
      { email: current, proof: { accountId, credentialsVersion, sessionsVersion } }: Session,
    ) =>
      take(
        {
          subject: `pages-mail-to:account:${hashOf(accountId, credentialsVersion, sessionsVersion, foldEmail(current), foldEmail(email))}`,
          window: OF_RECIPIENT,
        },
        { subject: `pages-mail-to:address:${hashOf(foldEmail(email))}`, window: OF_ADDRESS },
      ),
  };
}
