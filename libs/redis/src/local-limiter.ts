import { LRUCache } from 'lru-cache';
import { counterOf, type Grant, type RateWindow, windowEndMs } from './rate-windows.ts';
import type { SharedLimiter } from './shared-limiter.ts';

const MAX_COUNTERS = 10_000;

/** Redis is at `maxmemory`, or can't write to its disk. Of a script, Redis 6 says so behind words of its own. */
const REFUSES_WRITES = /(?:^|-)(?:OOM|MISCONF)\b/;

/** Whether Redis refuses writes for lack of memory or disk. It still answers reads. */
export const isFull = (error: unknown): boolean =>
  error instanceof Error && REFUSES_WRITES.test(error.message);

interface Counter {
  used: number;
  endsMs: number;
}

/** Counts fixed windows in this process, while the shared counters can't be reached. */
export function createLocalLimiter(options: { now?: () => number } = {}) {
  const now = options.now ?? Date.now;
  const counters = new LRUCache<string, Counter>({ max: MAX_COUNTERS });

  return {
    take(subject: string, window: RateWindow, count = 1): Grant {
      const nowMs = now();
      const name = counterOf(subject, window);
      const known = counters.get(name);
      const isLive = known !== undefined && known.endsMs > nowMs;
      const counter = isLive ? known : { used: 0, endsMs: windowEndMs(window, nowMs) };
      const { used } = counter;
      const isGranted = used + count <= window.limit;
      if (isGranted) counter.used += count;
      counters.set(name, counter);
      return { isGranted, used, nowMs, isLocal: true };
    },
    /** Gives back one request of a grant, in a window that has not ended. */
    giveBack(subject: string, window: RateWindow, { nowMs }: Pick<Grant, 'nowMs'>): void {
      const counter = counters.get(counterOf(subject, window));
      if (counter?.endsMs === windowEndMs(window, nowMs)) counter.used = Math.max(0, counter.used - 1);
    },
  };
}

/** Counts in this process while Redis is full, so that requests which only read go on, within limits. */
export function countingWhileFull(shared: SharedLimiter): SharedLimiter {
  const local = createLocalLimiter();
  const take = (subject: string, window: RateWindow, count = 1) =>
    shared.take(subject, window, count).catch((error: unknown) => {
      if (!isFull(error)) throw error;
      return local.take(subject, window, count);
    });
  return {
    take,
    read: (subject, window) => take(subject, window, 0),
    async giveBack(subject, window, grant) {
      // Gives the request back to the counter that counted it, in Redis or here: the other one would allow one too many.
      if (grant.isLocal) return local.giveBack(subject, window, grant);
      await shared.giveBack(subject, window, grant).catch((error: unknown) => {
        if (!isFull(error)) throw error;
      });
    },
  };
}
