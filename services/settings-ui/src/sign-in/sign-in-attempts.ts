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
import { MOST_SESSIONS } from '../session/session-store.ts';

const DAY = 86_400;
const windowOf = (limit: number): RateWindow => ({ seconds: ATTEMPTS_MINUTES * 60, limit });
const OF_PASSWORD = windowOf(PASSWORD_ATTEMPTS);

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
  const wrongOnes = createWrongPasswords(redis);
  return {
    /**
     * Counts an attempt before it is judged, so that many at once don't slip through, and gives it back unless the
     * password was wrong.
     * @throws AppError `rate_limited` where too many were wrong
     */
    async judge<Verdict extends { isRight: boolean }>(guesser: Guesser, judge: () => Promise<Verdict>) {
      const { spent, secondsLeft, giveBack } = await takeOfEach(limiter, limitsOf(guesser));
      if (spent) throw tooMany(secondsLeft);
      let isWrong = false;
      try {
        const verdict = await judge();
        isWrong = !verdict.isRight;
        return verdict;
      } finally {
        if (!isWrong) await giveBack();
      }
    },
    /**
     * The same for a session that repeats the password. It counts for its sign-in alone, in all businesses: other sign-ins of the
     * account go on.
     * @returns the verdict, null where none was made; and whether so many were wrong that the session has to end
     * @throws AppError `rate_limited` where so many are being judged that these could be too many
     */
    async judgeOwn<Verdict extends { isRight: boolean }>(
      signIn: SignIn,
      judge: () => Promise<Verdict>,
    ): Promise<{ verdict: Verdict | null; isOver: boolean }> {
      const subject = `password-change:${signIn.accountId}:${signIn.startedAt}`;
      const grant = await answerOf(limiter.take(subject, OF_PASSWORD));
      try {
        const wrong = await wrongOnes.of(signIn);
        if (wrong >= PASSWORD_ATTEMPTS) return { verdict: null, isOver: true };
        if (!grant.isGranted || wrong + grant.used >= PASSWORD_ATTEMPTS) throw tooMany(1);
        const verdict = await judge();
        // Before it is given back: each is counted all the time.
        const isOver = !verdict.isRight && (await wrongOnes.add(signIn)) >= PASSWORD_ATTEMPTS;
        return { verdict, isOver };
      } finally {
        if (grant.isGranted) await answerOf(limiter.giveBack(subject, OF_PASSWORD, grant));
      }
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

type SignIn = Pick<SignInProof, 'accountId' | 'startedAt'>;

/**
 * Wrong passwords of signed-in browsers, which may be a stranger's at the owner's desk: by their sign-in, for as long as its sessions
 * can last. An account has one list of them, of as many sign-ins as it has sessions.
 */
function createWrongPasswords(redis: Redis) {
  const listOf = ({ accountId }: SignIn) => `settings:wrong-passwords:${accountId}`;
  return {
    of: async (signIn: SignIn): Promise<number> =>
      Number(await answerOf(redis.zscore(listOf(signIn), signIn.startedAt))),
    /** @returns how many there are now */
    async add(signIn: SignIn): Promise<number> {
      const list = listOf(signIn);
      const count = Number(await answerOf(redis.zadd(list, 'INCR', 1, signIn.startedAt)));
      const [signIns] = await answerOf(
        Promise.all([
          redis.zrange(list, 0, -1),
          redis.pexpireat(list, Date.now() + SESSION_DAYS * DAY * 1_000),
        ]),
      );
      const oldest = signIns.toSorted((a, b) => Number(a) - Number(b)).slice(0, -MOST_SESSIONS);
      if (oldest.length > 0) await answerOf(redis.zrem(list, ...oldest));
      return count;
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
