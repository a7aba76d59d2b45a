import { createHash } from 'node:crypto';
import { createSharedLimiter, type RateWindow } from '@frontdesk/redis';
import { AppError } from '@frontdesk/service';
import type { Redis } from 'ioredis';
import type { StoredSession } from '../domain/sign-in/session.ts';
import { type Limit, takeOfEach } from './limits.ts';
import type { Sessions } from './session-store.ts';

/** Requests a minute. */
export interface PageLimits {
  session: number;
  tenant: number;
}

const minute = (limit: number): RateWindow => ({ name: 'minute', seconds: 60, limit });

/** The limits that a request of this session counts against. */
export function pageLimits(
  { tenantId, token }: { tenantId: number; token: string },
  perMinute: PageLimits,
): [ofSession: Limit, ofTenant: Limit] {
  const hash = createHash('sha256').update(token).digest('base64url');
  return [
    { subject: `pages-session:${hash}`, window: minute(perMinute.session) },
    { subject: `pages-tenant:${tenantId}`, window: minute(perMinute.tenant) },
  ];
}

/**
 * Finds the session of a token and counts the request, before any work is done for it.
 * @throws AppError `rate_limited` where the limit of the session or of its tenant is used up
 */
export function createLimitedFind(redis: Redis, sessions: Sessions, perMinute: PageLimits) {
  const limiter = createSharedLimiter(redis);
  return async (token: string): Promise<StoredSession | null> => {
    const session = await sessions.find(token);
    if (!session) return null;
    const { spent, secondsLeft } = await takeOfEach(limiter, pageLimits({ ...session, token }, perMinute));
    if (!spent) return session;
    throw new AppError('rate_limited', 'Too many requests. Please try again in a minute.', {
      headers: { 'retry-after': String(secondsLeft) },
    });
  };
}
