import { createHash } from 'node:crypto';
import { createSharedLimiter, type RateWindow } from '@frontdesk/redis';
import { AppError } from '@frontdesk/service';
import type { Redis } from 'ioredis';
import type { StoredSession } from '../domain/session.ts';
import { type Limit, takeOfEach } from './limits.ts';
import type { Sessions } from './sessions.ts';

const minute = (limit: number): RateWindow => ({ name: 'minute', seconds: 60, limit });
/** Far more than people ask for, also with a form whose picture follows what they type. */
const OF_SESSION = minute(300);
const OF_TENANT = minute(1_200);

/** What one request uses up. */
export function pageLimits(session: {
  tenantId: number;
  token: string;
}): [ofSession: Limit, ofTenant: Limit] {
  const hash = createHash('sha256').update(session.token).digest('base64url');
  return [
    { subject: `pages-session:${hash}`, window: OF_SESSION },
    { subject: `pages-tenant:${session.tenantId}`, window: OF_TENANT },
  ];
}

/**
 * Uses a session for one more request of this minute, decided before anything else is asked for it.
 * @throws AppError `rate_limited` where the session or its tenant has had its share
 */
export function createLimitedFind(redis: Redis, sessions: Sessions) {
  const take = createSharedLimiter(redis);
  return async (token: string): Promise<StoredSession | null> => {
    const session = await sessions.find(token);
    if (!session) return null;
    const { spent, secondsLeft } = await takeOfEach(take, pageLimits({ ...session, token }));
    if (!spent) return session;
    throw new AppError('rate_limited', 'Too many requests. Please try again in a minute.', {
      headers: { 'retry-after': String(secondsLeft) },
    });
  };
}
