import { setTimeout as pause } from 'node:timers/promises';
import { countingWhileFull, createSharedLimiter, type RateWindow } from '@frontdesk/redis';
import type { Redis } from 'ioredis';
import { hashToken } from '../accounts/tokens.rules.ts';
import { type Limit, rateLimited, takeOfEach } from './limits.ts';

/** Requests a minute. */
export interface PageLimits {
  session: number;
  tenant: number;
}

/** What is counted: requests for pages and changes, or streams that pages open by themselves. */
type Counted = 'pages' | 'pages-live';

/**
 * A refusal is held back, so that clients that come again at once come far less often; so many of a process at once, of
 * pages and of streams each.
 */
const HELD_BACK_MS = 1_000;
const MOST_HELD_BACK = 200;

/** So many sessions of which a process knows that their limit is used up. */
const MOST_SPENT = 10_000;

const minute = (limit: number): RateWindow => ({ seconds: 60, limit });

/** The limits that a request of this session counts against. */
export function pageLimits(
  { tenantId, token }: { tenantId: number; token: string },
  perMinute: PageLimits,
  counted: Counted = 'pages',
): [ofSession: Limit, ofTenant: Limit] {
  return [
    { subject: `${counted}-session:${hashToken(token)}`, window: minute(perMinute.session) },
    { subject: `${counted}-tenant:${tenantId}`, window: minute(perMinute.tenant) },
  ];
}

/**
 * Finds the session of a token and counts the request, before any work is done for it. `find` uses the session, or
 * only looks at it. A sign-in that waits for its business has no tenant yet.
 * @throws AppError `rate_limited` where the limit of the session or of its tenant is used up
 */
export function createLimitedFind<Found extends object>(
  redis: Redis,
  {
    find,
    tenantOf,
    perMinute,
    counted = 'pages',
  }: {
    find: (token: string) => Promise<Found | null>;
    tenantOf: (found: Found) => number | null;
    perMinute: PageLimits;
    counted?: Counted;
  },
) {
  const limiter = countingWhileFull(createSharedLimiter(redis));
  const spentLimits = createSpentLimits();
  let heldBack = 0;
  const refuse = async (secondsLeft: number): Promise<never> => {
    if (heldBack < MOST_HELD_BACK) {
      heldBack += 1;
      await pause(HELD_BACK_MS);
      heldBack -= 1;
    }
    throw rateLimited('Too many requests. Please try again in a minute.', secondsLeft);
  };
  return async (token: string): Promise<Found | null> => {
    // What comes beyond a session's limit costs no look-up, however often it comes.
    const [ofSession] = pageLimits({ tenantId: 0, token }, perMinute, counted);
    const secondsSpent = spentLimits.secondsLeft(ofSession.subject);
    if (secondsSpent > 0) return refuse(secondsSpent);
    const session = await find(token);
    if (!session) return null;
    const tenantId = tenantOf(session);
    const limits = tenantId === null ? [ofSession] : pageLimits({ tenantId, token }, perMinute, counted);
    const { spent, secondsLeft } = await takeOfEach(limiter, limits);
    if (!spent) return session;
    // Where its tenant's is used up, so is the session's: both windows end with the minute.
    spentLimits.note(ofSession.subject, secondsLeft);
    return refuse(secondsLeft);
  };
}

/** Which limits are used up, and until when: whoever comes meanwhile is refused without a question to Redis. */
export function createSpentLimits() {
  const endsMs = new Map<string, number>();
  return {
    note(subject: string, secondsLeft: number): void {
      endsMs.delete(subject);
      endsMs.set(subject, performance.now() + secondsLeft * 1_000);
      const [oldest] = endsMs.keys();
      if (endsMs.size > MOST_SPENT && oldest !== undefined) endsMs.delete(oldest);
    },
    /** 0 where it is not known to be used up. */
    secondsLeft(subject: string): number {
      const leftMs = (endsMs.get(subject) ?? 0) - performance.now();
      if (leftMs > 0) return Math.ceil(leftMs / 1_000);
      endsMs.delete(subject);
      return 0;
    },
  };
}
