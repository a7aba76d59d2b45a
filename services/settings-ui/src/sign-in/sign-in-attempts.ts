import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import {
  ATTEMPTS_MINUTES,
  LINK_REQUESTS,
  NETWORK_ATTEMPTS,
  PASSWORD_ATTEMPTS,
  SESSION_DAYS,
} from '@frontdesk/contracts';
import { createSharedLimiter, type RateWindow } from '@frontdesk/redis';
import { addressBlock } from '@frontdesk/service';
import type { Redis } from 'ioredis';
import { foldEmail } from '../accounts/account.rules.ts';
import { countedUnlessFailed, type Limit, rateLimited, takeOfEach, timeText } from '../limits/limits.ts';
import type { Device } from '../session/device.rules.ts';
import { answerOf } from '../session/sealed-values.ts';
import type { SignInProof } from '../session/session.rules.ts';

const DAY = 86_400;
const windowOf = (limit: number): RateWindow => ({ seconds: ATTEMPTS_MINUTES * 60, limit });
const OF_PASSWORD = windowOf(PASSWORD_ATTEMPTS);

/** Wrong passwords of a signed-in browser, which may be a stranger's at the owner's desk. For as long as a sign-in lasts. */
const OF_OWN_PASSWORD: RateWindow = { seconds: SESSION_DAYS * DAY, limit: PASSWORD_ATTEMPTS };

/** Sign-ins of an account, and its changes of business: each makes a session and an entry in the audit log. */
const OF_SIGN_INS = windowOf(100);

/** Changes of the own password: each makes a session and an entry in the audit log, which is never folded. */
const OF_PASSWORD_CHANGES: readonly RateWindow[] = [
  { seconds: 3_600, limit: 10 },
  { seconds: DAY, limit: 20 },
];

/** Who guesses, and so whose attempts are used up. */
type Guesser =
  | { email: string; address: string }
  /** A device that this email has signed in with before: nobody else can use up its attempts. */
  | { device: Device };

export type SignInAttempts = ReturnType<typeof createSignInAttempts>;

export function createSignInAttempts(redis: Redis) {
  const limiter = createSharedLimiter(redis);
  /** Gives an attempt that was counted back, unless the password was wrong. */
  const judged = async <Verdict extends { isRight: boolean }>(
    giveBack: () => Promise<void>,
    judge: () => Promise<Verdict>,
  ) => {
    let isWrong = false;
    try {
      const verdict = await judge();
      isWrong = !verdict.isRight;
      return verdict;
    } finally {
      if (!isWrong) await giveBack();
    }
  };

  return {
    /**
     * Counts an attempt before it is judged, so that many at once don't slip through, and gives it back unless the
     * password was wrong.
     * @throws AppError `rate_limited` where too many were wrong
     */
    async judge<Verdict extends { isRight: boolean }>(guesser: Guesser, judge: () => Promise<Verdict>) {
      const { spent, secondsLeft, giveBack } = await takeOfEach(limiter, limitsOf(guesser));
      if (spent) throw tooMany(secondsLeft);
      return judged(giveBack, judge);
    },
    /**
     * The same for a session that repeats the password. It counts for its sign-in alone, in all businesses: other sign-ins of the
     * account go on.
     * @returns the verdict, null where none was made; and whether so many were wrong that the session has to end
     */
    async judgeOwn<Verdict extends { isRight: boolean }>(
      { accountId, startedAt }: Pick<SignInProof, 'accountId' | 'startedAt'>,
      judge: () => Promise<Verdict>,
    ): Promise<{ verdict: Verdict | null; isOver: boolean }> {
      const subject = `password-change:${accountId}:${startedAt}`;
      const window = OF_OWN_PASSWORD;
      const { spent, giveBack } = await takeOfEach(limiter, [{ subject, window }]);
      if (spent) return { verdict: null, isOver: true };
      const verdict = await judged(giveBack, judge);
      const isOver = !verdict.isRight && (await answerOf(limiter.read(subject, window))).used >= window.limit;
      return { verdict, isOver };
    },
    /**
     * Counts a request with a link, at first as one with a void link. `giveBack` takes that back, for a good link.
     * @throws AppError `rate_limited` where too many came from the address
     */
    async countLink(address: string): Promise<{ giveBack: () => Promise<void> }> {
      const all = await takeOfEach(limiter, limitsOfAddress('sign-in-link', address, LINK_REQUESTS));
      if (all.spent) throw tooMany(all.secondsLeft);
      const asVoid = await takeOfEach(
        limiter,
        limitsOfAddress('sign-in-void-link', address, NETWORK_ATTEMPTS),
      );
      if (asVoid.spent) throw tooMany(asVoid.secondsLeft);
      return asVoid;
    },
    /** Counts a request for a link to set a new password. @throws AppError `rate_limited` where too many came from the address */
    async countForgotten(address: string) {
      const { spent, secondsLeft } = await takeOfEach(
        limiter,
        limitsOfAddress('sign-in-forgot', address, NETWORK_ATTEMPTS),
      );
      if (spent) throw tooMany(secondsLeft);
    },
    /**
     * Counts a sign-in with the right password (`done`), a choice of its business (`chosen`), or a change of business (`switched`). They
     * count apart: nobody with a session can keep the owner from signing in.
     * @throws AppError `rate_limited` where there were too many
     */
    async countSignIn(accountId: number, what: 'done' | 'chosen' | 'switched') {
      const { spent, secondsLeft } = await takeOfEach(limiter, [
        { subject: `sign-in-${what}:${accountId}`, window: OF_SIGN_INS },
      ]);
      if (spent) throw tooMany(secondsLeft);
    },
    /**
     * Counts a change of one's own password, unless it fails. @throws AppError `rate_limited` where it was changed
     * too often
     */
    async countPasswordChange<Result>(accountId: number, change: () => Promise<Result>): Promise<Result> {
      const subject = `password-change:done:${accountId}`;
      const limits = OF_PASSWORD_CHANGES.map((window) => ({ subject, window }));
      const { spent, secondsLeft, giveBack } = await takeOfEach(limiter, limits);
      if (spent) {
        const { limit, seconds } = spent.window;
        throw rateLimited(
          `You have changed your password ${limit} times in ${seconds === DAY ? 'a day' : 'an hour'}, ` +
            `so it stays as it is. Please try again in ${timeText(secondsLeft)}.`,
          secondsLeft,
        );
      }
      return countedUnlessFailed(giveBack, change);
    },
  };
}

function limitsOf(guesser: Guesser): Limit[] {
  if ('device' in guesser) return [{ subject: `sign-in-device:${guesser.device.id}`, window: OF_PASSWORD }];
  const hash = createHash('sha256').update(foldEmail(guesser.email)).digest('base64url');
  return [
    { subject: `sign-in-email:${hash}`, window: OF_PASSWORD },
    ...limitsOfAddress('sign-in-address', guesser.address, NETWORK_ATTEMPTS),
  ];
}

/** Of an IPv6 address also its larger networks'. */
const limitsOfAddress = (
  name: string,
  address: string,
  networks: readonly { bits: 48 | 56 | 64; limit: number }[],
): Limit[] =>
  (isIPv6(address) ? networks : networks.slice(0, 1)).map(({ bits, limit }) => ({
    subject: `${name}:${addressBlock(address, bits)}`,
    window: windowOf(limit),
  }));

const tooMany = (secondsLeft: number) =>
  rateLimited(`Too many attempts. Please try again in ${timeText(secondsLeft)}.`, secondsLeft);
