import type { Grant, RateWindow } from '@frontdesk/redis';
import { LRUCache } from 'lru-cache';
import { windowEndMs } from '../domain/rate-limit.ts';

const MAX_SUBJECTS = 10_000;

interface Counter {
  used: number;
  endsMs: number;
}

/** Fixed windows counted in this process, for when the shared count can't be had. Same rule: all windows or nothing. */
export function createLocalLimiter(options: { now?: () => number } = {}) {
  const now = options.now ?? Date.now;
  const subjects = new LRUCache<string, Counter[]>({ max: MAX_SUBJECTS });

  return {
    take(subject: string, windows: readonly RateWindow[], count: number): Grant {
      const nowMs = now();
      const known = subjects.get(subject);
      const counters = windows.map((window, index): Counter => {
        const counter = known?.[index];
        return counter && counter.endsMs > nowMs ? counter : { used: 0, endsMs: windowEndMs(window, nowMs) };
      });
      const used = counters.map((counter) => counter.used);
      const left = windows.map((window, index) => window.limit - (used[index] ?? 0));
      const granted = Math.max(0, Math.min(count, ...left));
      for (const counter of counters) counter.used += granted;
      subjects.set(subject, counters);
      return { granted, used, nowMs };
    },
  };
}
