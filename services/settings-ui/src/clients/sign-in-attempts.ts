import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { createSharedLimiter, type RateWindow } from '@frontdesk/redis';
import { AppError, addressBlock } from '@frontdesk/service';
import type { Redis } from 'ioredis';
import { foldEmail } from '../domain/sign-in/admin.ts';
import type { Device } from '../domain/sign-in/device.ts';
import type { Session } from '../domain/sign-in/session.ts';
import { type Limit, takeOfEach } from './limits.ts';

const quarterHour = (limit: number): RateWindow => ({ name: 'quarter-hour', seconds: 900, limit });
/** Guesses at one password by strangers, or by one device. */
const OF_PASSWORD = quarterHour(20);
/** Guesses at any passwords from one IPv4 address or /64, which many people may share, and from an IPv6 subscriber's larger networks. */
const OF_NETWORKS = [
  { bits: 64, window: quarterHour(60) },
  { bits: 56, window: quarterHour(120) },
  { bits: 48, window: quarterHour(240) },
] as const;

/** Sign-ins of one admin: each leaves a session and an entry in the audit log. */
const OF_SIGN_INS = quarterHour(100);

/** Who guesses, and so whose attempts are used up. */
type Guesser =
  | { email: string; address: string }
  /** A device that this email has signed in with before: nobody else can use up its attempts. */
  | { device: Device }
  /** A signed-in admin who repeats the password: nobody who only knows the email can use these attempts up. */
  | { session: Pick<Session, 'tenantId' | 'adminId'> };

export type SignInAttempts = ReturnType<typeof createSignInAttempts>;

export function createSignInAttempts(redis: Redis) {
  const limiter = createSharedLimiter(redis);

  return {
    /**
     * Counts an attempt before it is judged, so that many at once don't slip through, and gives it back unless the password was wrong.
     * @throws AppError `rate_limited` where too many were wrong
     */
    async judge<Verdict extends { isRight: boolean }>(guesser: Guesser, judge: () => Promise<Verdict>) {
      const attempt = await takeOfEach(limiter, limitsOf(guesser));
      if (attempt.spent) throw tooMany(attempt.secondsLeft);
      let isWrong = false;
      try {
        const verdict = await judge();
        isWrong = !verdict.isRight;
        return verdict;
      } finally {
        if (!isWrong) await attempt.giveBack();
      }
    },
    /** Counts one that is right. @throws AppError `rate_limited` where the admin has signed in too often */
    async countSignIn({ tenant_id, id }: { tenant_id: number; id: number }) {
      const { spent, secondsLeft } = await takeOfEach(limiter, [
        { subject: `sign-in-done:${tenant_id}:${id}`, window: OF_SIGN_INS },
      ]);
      if (spent) throw tooMany(secondsLeft);
    },
  };
}

function limitsOf(guesser: Guesser): Limit[] {
  if ('device' in guesser) return [{ subject: `sign-in-device:${guesser.device.id}`, window: OF_PASSWORD }];
  if ('session' in guesser) {
    const { tenantId, adminId } = guesser.session;
    return [{ subject: `password-change:${tenantId}:${adminId}`, window: OF_PASSWORD }];
  }
  const hash = createHash('sha256').update(foldEmail(guesser.email)).digest('base64url');
  const networks = isIPv6(guesser.address) ? OF_NETWORKS : OF_NETWORKS.slice(0, 1);
  return [
    { subject: `sign-in-email:${hash}`, window: OF_PASSWORD },
    ...networks.map(({ bits, window }) => ({
      subject: `sign-in-address:${addressBlock(guesser.address, bits)}`,
      window,
    })),
  ];
}

function tooMany(secondsLeft: number): AppError {
  const minutes = Math.ceil(secondsLeft / 60);
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`;
  return new AppError('rate_limited', `Too many attempts. Please try again in ${wait}.`, {
    headers: { 'retry-after': String(secondsLeft) },
  });
}
