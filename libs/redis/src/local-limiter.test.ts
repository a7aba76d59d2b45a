import fc from 'fast-check';
import { countingWhileFull, createLocalLimiter, isFull } from './local-limiter.ts';
import type { RateWindow } from './rate-windows.ts';
import type { SharedLimiter } from './shared-limiter.ts';

const minute: RateWindow = { seconds: 60, limit: 3 };

it('grants up to the limit, counts nothing else, and begins anew with each window', () => {
  let now = 59_000;
  const limiter = createLocalLimiter({ now: () => now });
  expect(limiter.take('a', minute, 2)).toEqual({ isGranted: true, used: 0, nowMs: 59_000, isLocal: true });
  expect(limiter.take('a', minute, 2).isGranted).toBe(false);
  expect(limiter.take('a', minute).isGranted).toBe(true);
  expect(limiter.take('a', minute)).toEqual({ isGranted: false, used: 3, nowMs: 59_000, isLocal: true });
  expect(limiter.take('b', minute).isGranted).toBe(true);
  expect(limiter.take('a', { seconds: 3_600, limit: 3 })).toMatchObject({ isGranted: true, used: 0 });
  now = 60_000;
  expect(limiter.take('a', minute, 0).used).toBe(0);
  expect(limiter.take('a', minute, 3)).toEqual({ isGranted: true, used: 0, nowMs: 60_000, isLocal: true });
  expect(limiter.take('a', minute, 0).used).toBe(3);
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
        const nth = Math.floor(now / 60_000);
        const granted = limiter.take('a', minute, count).isGranted ? count : 0;
        perMinute.set(nth, (perMinute.get(nth) ?? 0) + granted);
      }
      expect(Math.max(0, ...perMinute.values())).toBeLessThanOrEqual(3);
    }),
  );
});

it('takes a request back into the window that has not ended', () => {
  let now = 59_000;
  const limiter = createLocalLimiter({ now: () => now });
  const grant = limiter.take('a', minute);
  limiter.giveBack('a', minute, grant);
  expect(limiter.take('a', minute, 0).used).toBe(0);
  limiter.take('a', minute, 2);
  now = 60_000;
  limiter.take('a', minute);
  limiter.giveBack('a', minute, grant);
  limiter.giveBack('b', minute, grant);
  expect(limiter.take('a', minute, 0).used).toBe(1);
});

it('what was taken while Redis was full is given back in this process, and what Redis has granted to Redis', async () => {
  let fault: Error | null = new Error("OOM command not allowed when used memory > 'maxmemory'.");
  const givenBack: string[] = [];
  const shared: SharedLimiter = {
    take: async () => {
      if (fault) throw fault;
      return { isGranted: true, used: 0, nowMs: Date.now() };
    },
    read: async () => ({ isGranted: true, used: 0, nowMs: Date.now() }),
    giveBack: async (subject) => void givenBack.push(subject),
  };
  const limiter = countingWhileFull(shared);
  const hour: RateWindow = { seconds: 3_600, limit: 2 };
  const grants = [await limiter.take('a', hour), await limiter.take('a', hour)];
  expect((await limiter.take('a', hour)).isGranted).toBe(false);
  fault = null;
  const ofRedis = await limiter.take('b', hour);
  for (const grant of grants) await limiter.giveBack('a', hour, grant);
  await limiter.giveBack('b', hour, ofRedis);
  expect(givenBack).toEqual(['b']);
  fault = new Error('OOM');
  expect((await limiter.take('a', hour)).used).toBe(0);
});

it.each([
  // Redis 6, 7 and 8 to a command; 7 and 8 to a script; 6 to a script.
  "OOM command not allowed when used memory > 'maxmemory'.",
  "OOM command not allowed when used memory > 'maxmemory'. script: f_6f1b, on @user_script:26.",
  "ERR Error running script (call to f_6f1b): @user_script:26: @user_script: 26: -OOM command not allowed when used memory > 'maxmemory'.",
  "OOM allow-oom flag is not set on the script, can not run it when used memory > 'maxmemory'",
  "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk.",
  'MISCONF Errors writing to the AOF file: No space left on device',
  'ERR Error running script (call to f_6f1b): @user_script:26: @user_script: 26: -MISCONF Errors writing to the AOF file: No space left on device',
])('knows that Redis is full by: %s', (message) => {
  expect(isFull(new Error(message))).toBe(true);
});

it.each([
  'ERR unknown command',
  'NOPERM no permissions',
  'READONLY a replica',
  'Connection is closed.',
  'BOOM',
])('is not full: %s', (message) => {
  expect([isFull(new Error(message)), isFull(message)]).toEqual([false, false]);
});
