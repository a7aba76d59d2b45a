import type { RateWindow } from '@frontdesk/redis';
import fc from 'fast-check';
import { createLocalLimiter } from './local-limiter.ts';

const windows: RateWindow[] = [
  { name: 'minute', seconds: 60, limit: 3 },
  { name: 'day', seconds: 86_400, limit: 5 },
];

it('grants up to the tightest window, counts nothing else, and begins anew with each window', () => {
  let now = 59_000;
  const limiter = createLocalLimiter({ now: () => now });
  expect(limiter.take('a', windows, 2)).toEqual({ granted: 2, used: [0, 0], nowMs: 59_000 });
  expect(limiter.take('a', windows, 2).granted).toBe(1);
  expect(limiter.take('a', windows, 1)).toEqual({ granted: 0, used: [3, 3], nowMs: 59_000 });
  expect(limiter.take('b', windows, 1).granted).toBe(1);
  now = 60_000;
  expect(limiter.take('a', windows, 9)).toEqual({ granted: 2, used: [0, 3], nowMs: 60_000 });
  expect(limiter.take('a', windows, 0).used).toEqual([2, 5]);
  now = 86_400_000;
  expect(limiter.take('a', windows, 1)).toEqual({ granted: 1, used: [0, 0], nowMs: 86_400_000 });
});

it('never grants more than a limit within a window, however the requests come', () => {
  const step = fc.record({ count: fc.nat(4), waitMs: fc.nat(40_000) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let now = 0;
      const limiter = createLocalLimiter({ now: () => now });
      const perMinute = new Map<number, number>();
      for (const { count, waitMs } of steps) {
        now += waitMs;
        const minute = Math.floor(now / 60_000);
        perMinute.set(minute, (perMinute.get(minute) ?? 0) + limiter.take('a', windows, count).granted);
      }
      const total = [...perMinute.values()].reduce((sum, count) => sum + count, 0);
      expect(Math.max(0, ...perMinute.values())).toBeLessThanOrEqual(3);
      expect(total).toBeLessThanOrEqual(5);
    }),
  );
});
