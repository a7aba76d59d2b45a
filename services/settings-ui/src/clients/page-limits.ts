import { createHash } from 'node:crypto';
import { createSharedLimiter, type RateWindow } from '@frontdesk/redis';
import { AppError } from '@frontdesk/service';
import type { Redis } from 'ioredis';
import type { StoredSession } from '../domain/session.ts';
import { type Limit, takeOfEach } from './limits.ts';
import type { Sessions } from './sessions.ts';

const minute = (limit: number): RateWindow => ({ name: 'minute', seconds: 60, limit });
/** Far more than people need, even with a form whose preview follows their typing. */
const OF_SESSION = minute(300);
const OF_TENANT = minute(1_200);

/** The limits that a request of this session counts against. */
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
 * Finds the session of a token and counts the request, before any work is done for it.
 * @throws AppError `rate_limited` where the limit of the session or of its tenant is used up
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
