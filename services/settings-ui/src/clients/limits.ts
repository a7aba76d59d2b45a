import type { RateWindow, SharedLimiter } from '@frontdesk/redis';
import { answerOf } from './session-store.ts';

export interface Limit {
  /** The key under which is counted, for example `pages-tenant:7`. */
  subject: string;
  window: RateWindow;
}

/**
 * Takes one of every limit, or none where one of them is used up: that one is `spent`, and its window ends in `secondsLeft`.
 * `giveBack`: what was taken shall not count after all. @throws AppError `service_unavailable` without Redis
 */
export async function takeOfEach(limiter: SharedLimiter, limits: readonly Limit[]) {
  const asked = limits.map(async (limit) => {
    const { granted, nowMs } = await limiter.take(limit.subject, [limit.window], 1);
    return { limit, isGranted: granted === 1, nowMs };
  });
  const answers = await answerOf(Promise.all(asked));
  const giveAllBack = async () => {
    const granted = answers.filter(({ isGranted }) => isGranted);
    await answerOf(
      Promise.all(granted.map(({ limit, nowMs }) => limiter.giveBack(limit.subject, [limit.window], nowMs))),
    );
  };
  const refused = answers.find(({ isGranted }) => !isGranted);
  if (!refused) return { spent: null, secondsLeft: 0, giveBack: giveAllBack };
  await giveAllBack();
  const { seconds } = refused.limit.window;
  const secondsLeft = seconds - (Math.floor(refused.nowMs / 1_000) % seconds);
  return { spent: refused.limit, secondsLeft, giveBack: async () => {} };
}
