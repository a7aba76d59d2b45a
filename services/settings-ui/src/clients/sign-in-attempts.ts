import { createHash } from 'node:crypto';
import { createSharedLimiter, type RateWindow } from '@frontdesk/redis';
import { AppError, addressBlock } from '@frontdesk/service';
import type { Redis } from 'ioredis';
import { foldEmail } from '../domain/admin.ts';
import type { Session } from '../domain/session.ts';
import { answerOf } from './sessions.ts';

const QUARTER_HOUR = 900;
const within = (limit: number): RateWindow[] => [{ name: 'quarter-hour', seconds: QUARTER_HOUR, limit }];
/** Guesses at one password, from wherever; and at any passwords from one address, which many people may share. */
const PER_PASSWORD = within(20);
const PER_ADDRESS = within(60);

export interface SignInAttempts {
  /** Counts one before it is judged. @throws AppError `rate_limited` when the email or the address has had its share. */
  count(email: string, address: string): Promise<void>;
  /**
   * The same for a signed-in admin who tells the password once more. It is counted apart: whoever knows the email and
   * uses up its sign-ins keeps nobody from changing the password.
   */
  countChange(admin: Pick<Session, 'tenantId' | 'adminId'>): Promise<void>;
}

export function createSignInAttempts(redis: Redis): SignInAttempts {
  const take = createSharedLimiter(redis);

  const takeOne = async (subject: string, windows: RateWindow[]) => {
    const { granted, nowMs } = await answerOf(take(subject, windows, 1));
    if (granted === 1) return;
    const secondsLeft = QUARTER_HOUR - (Math.floor(nowMs / 1_000) % QUARTER_HOUR);
    const minutes = Math.ceil(secondsLeft / 60);
    const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`;
    throw new AppError('rate_limited', `Too many attempts. Please try again in ${wait}.`, {
      headers: { 'retry-after': String(secondsLeft) },
    });
  };

  return {
    async count(email, address) {
      const hash = createHash('sha256').update(foldEmail(email)).digest('base64url');
      await takeOne(`sign-in-address:${addressBlock(address)}`, PER_ADDRESS);
      await takeOne(`sign-in-email:${hash}`, PER_PASSWORD);
    },
    countChange: ({ tenantId, adminId }) => takeOne(`password-change:${tenantId}:${adminId}`, PER_PASSWORD),
  };
}
