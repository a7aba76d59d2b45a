import { AHEAD_MS, type Grant, type RateWindow } from '@frontdesk/redis';
import { createLogger } from '@frontdesk/service';
import { createLocalLimiter } from '../domain/local-limiter.ts';
import { PLAN_WINDOWS } from '../domain/rate-limit.ts';
import { createRoomAhead } from '../domain/room-ahead.ts';
import { createLimiter } from './limit-request.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
const windows = PLAN_WINDOWS.starter;

function limiterOver(
  take: (subject: string, windows: readonly RateWindow[], count: number) => Promise<Grant>,
) {
  const calls: number[] = [];
  const limiter = createLimiter({
    shared: async (subject, wanted, count) => {
      calls.push(count);
      return { ...(await take(subject, wanted, count)), ahead: 0, isHeldElsewhere: false };
    },
    timeoutMs: 45,
    replicas: 2,
    logger,
  });
  return { limiter, calls };
}

it('requests of one turn share one call and are told apart', async () => {
  const counter = createLocalLimiter();
  const { limiter, calls } = limiterOver(async (...asked) => counter.take(...asked));
  const decisions = await Promise.all(Array.from({ length: 32 }, () => limiter.take('a', windows)));
  expect(calls).toEqual([32]);
  expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(30);
  expect(decisions.map(({ windows: [minute] }) => minute?.remaining).slice(0, 30)).toEqual(
    Array.from({ length: 30 }, (_, i) => 29 - i),
  );
});

it('peek counts nothing', async () => {
  const counter = createLocalLimiter();
  const { limiter } = limiterOver(async (...asked) => counter.take(...asked));
  await limiter.peek('a', windows);
  expect((await limiter.peek('a', windows)).windows.map(({ remaining }) => remaining)).toEqual([30, 5_000]);
});

it('after one failure no request asks Redis itself; a probe, which counts nothing, finds it back', async () => {
  let isAway = true;
  const counter = createLocalLimiter();
  const { limiter, calls } = limiterOver(async (...asked) => {
    if (isAway) throw new Error('away');
    return counter.take(...asked);
  });
  const first = await limiter.take('a', windows);
  expect([first.scope, first.windows[0]?.limit]).toEqual(['local', 15]);
  expect((await limiter.take('a', windows)).scope).toBe('local');
  isAway = false;
  while ((await limiter.take('a', windows)).scope === 'local');
  expect(calls.slice(1, -1).every((count) => count === 0)).toBe(true);
});

it('an answer that doesn’t come is not waited for', async () => {
  const { limiter } = limiterOver(() => new Promise(() => {}));
  expect((await limiter.take('a', windows)).scope).toBe('local');
});

it('after a failure room ahead is asked for as before', async () => {
  let isAway = false;
  const counter = createLocalLimiter();
  const roomAhead = createRoomAhead({ periodMs: AHEAD_MS });
  const wanted: (number | undefined)[] = [];
  const limiter = createLimiter({
    ...{ roomAhead, timeoutMs: 45, replicas: 2, logger },
    shared: async (subject, asked, count, ahead) => {
      if (count > 0) wanted.push(ahead?.wanted);
      if (isAway) throw new Error('away');
      return { ...counter.take(subject, asked, count), ahead: 0, isHeldElsewhere: false };
    },
  });
  await Promise.all(Array.from({ length: 5 }, () => limiter.take('a', windows)));
  roomAhead.endPeriod();
  isAway = true;
  expect((await limiter.take('a', windows)).scope).toBe('local');
  isAway = false;
  while ((await limiter.take('a', windows)).scope === 'local');
  expect(wanted).toEqual([0, 5, 5]);
});
