import { createHash } from 'node:crypto';
import { countingWhileFull, createSharedLimiter, type RateWindow } from '@frontdesk/redis';
import { AppError } from '@frontdesk/service';
import type { Redis } from 'ioredis';
import { foldEmail } from '../accounts/account.rules.ts';
import { takeOfEach, timeText } from '../limits/limits.ts';

const perHour = (limit: number): RateWindow => ({ seconds: 3_600, limit });
/** What one person may have sent to others in an hour. */
const OF_SENDER = perHour(20);
/** What one address gets in an hour: the links that it has got are good, so nobody misses a sixth email. */
const OF_ADDRESS = perHour(5);

export type MailLimits = ReturnType<typeof createMailLimits>;

/** Bounds the emails that people have sent: by who asks for them, and by who gets them. */
export function createMailLimits(redis: Redis) {
  const limiter = countingWhileFull(createSharedLimiter(redis));
  return {
    /** @throws AppError `rate_limited` where this member has had too many sent */
    async countOfSender({ tenantId, membershipId }: { tenantId: number; membershipId: number }) {
      const subject = `pages-mail:${tenantId}:${membershipId}`;
      const { spent, secondsLeft } = await takeOfEach(limiter, [{ subject, window: OF_SENDER }]);
      if (!spent) return;
      throw new AppError(
        'rate_limited',
        `You have sent ${OF_SENDER.limit} emails within the hour. Please try again in ${timeText(secondsLeft)}.`,
        { headers: { 'retry-after': String(secondsLeft) } },
      );
    },
    /** Counts an email to an address. @returns false where it has got enough: then nothing is sent, and nobody told so */
    async mayGet(email: string, of: string): Promise<boolean> {
      const hash = createHash('sha256').update(foldEmail(email)).digest('base64url');
      const subject = `pages-mail-to:${of}:${hash}`;
      return (await takeOfEach(limiter, [{ subject, window: OF_ADDRESS }])).spent === null;
    },
  };
}
