import { type RateWindow, type SharedLimiter, windowEndMs } from '@frontdesk/redis';
import { AppError } from '@frontdesk/service';
import { answerOf } from '../session/sealed-values.ts';

export interface Limit {
  /** The key under which is counted, for example `pages-tenant:7`. */
  subject: string;
  window: RateWindow;
}

/**
 * Takes one of every limit, or none where one of them is used up: that one is `spent`, and its window ends
 * in `secondsLeft`. `giveBack`: what was taken shall not count after all. @throws AppError
 * `service_unavailable` without Redis
 */
export async function takeOfEach(limiter: SharedLimiter, limits: readonly Limit[]) {
  const asked = limits.map(async (limit) => {
    return { limit, grant: await limiter.take(limit.subject, limit.window) };
  });
  const answers = await answerOf(Promise.all(asked));
  const giveAllBack = async () => {
    const granted = answers.filter(({ grant }) => grant.isGranted);
    await answerOf(
      Promise.all(granted.map(({ limit, grant }) => limiter.giveBack(limit.subject, limit.window, grant))),
    );
  };
  const refused = answers.find(({ grant }) => !grant.isGranted);
  if (!refused) return { spent: null, secondsLeft: 0, giveBack: giveAllBack };
  await giveAllBack();
  const { nowMs } = refused.grant;
  const secondsLeft = Math.ceil((windowEndMs(refused.limit.window, nowMs) - nowMs) / 1_000);
  return { spent: refused.limit, secondsLeft, giveBack: async () => {} };
}

/** Does what was counted, and gives the count back where that fails. */
export async function countedUnlessFailed<Result>(
  giveBack: () => Promise<void>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    // What went wrong is said, also where this can't be given back.
    await giveBack().catch(() => {});
    throw error;
  }
}

/** The refusal of a request beyond a limit, `text` to people. */
export const rateLimited = (text: string, secondsLeft: number): AppError =>
  new AppError('rate_limited', text, { headers: { 'retry-after': String(secondsLeft) } });

/** How long to wait, as pages say it. */
export function timeText(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes >= 90) return `${Math.ceil(minutes / 60)} hours`;
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
