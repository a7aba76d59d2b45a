import { createHash } from 'node:crypto';
import { countingWhileFull, createSharedLimiter } from '@frontdesk/redis';
import type { Redis } from 'ioredis';
import { SINGLE_ENTRIES_PER_HOUR } from '../audit/audit.rules.ts';
import { type Limit, rateLimited, takeOfEach, timeText } from '../limits/limits.ts';

export type ChangeLimits = ReturnType<typeof createChangeLimits>;

/** The limit that the changes of all admins of a tenant count against. */
export const changesOfDay = (tenantId: number, perDay: number): Limit => ({
  subject: `pages-changes:${tenantId}`,
  window: { seconds: 86_400, limit: perDay },
});

/** Counts what admins change. What integrators ask of the API is counted elsewhere: neither locks the other out. */
export function createChangeLimits(redis: Redis) {
  const limiter = countingWhileFull(createSharedLimiter(redis));
  return {
    /** Counts a change that is made all the same. @returns whether the tenant has made as many before as its plan allows in a UTC day */
    async isBeyond(tenantId: number, perDay: number): Promise<boolean> {
      return (await takeOfEach(limiter, [changesOfDay(tenantId, perDay)])).spent !== null;
    },
    /** @throws AppError `rate_limited` where the tenant has made as many changes as its plan allows in a UTC day */
    async count(tenantId: number, perDay: number): Promise<void> {
      const { spent, secondsLeft } = await takeOfEach(limiter, [changesOfDay(tenantId, perDay)]);
      if (!spent) return;
      const allowed = perDay.toLocaleString('en-US');
      throw rateLimited(
        `This business has made the ${allowed} changes that its plan allows on these pages in a day, ` +
          `so this one is not made. The count starts again at 00:00 UTC, in ${timeText(secondsLeft)}.`,
        secondsLeft,
      );
    },
    /** Whether this person has done this little enough within the hour for an entry of its own in the audit log. */
    async hasOwnEntry(
      tenantId: number,
      { actor, action }: { actor: string; action: string },
    ): Promise<boolean> {
      const hash = createHash('sha256').update(actor).digest('base64url');
      const subject = `pages-audit:${tenantId}:${action}:${hash}`;
      const window = { seconds: 3_600, limit: SINGLE_ENTRIES_PER_HOUR };
      return (await takeOfEach(limiter, [{ subject, window }])).spent === null;
    },
  };
}
