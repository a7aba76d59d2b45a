import {
  endOf,
  rateLimitHeaders,
  shareOf,
  tighterWindow,
  usageOf,
  type WindowState,
} from './rate-limit.rules.ts';

const NOON = Date.UTC(2026, 0, 1, 12, 0, 30);
const SECOND = NOON / 1_000;
const minute = (remaining: number): WindowState => {
  return { name: 'minute', seconds: 60, limit: 30, remaining, secondsLeft: 30, resetAt: SECOND + 30 };
};
const day = (remaining: number): WindowState => {
  const resetAt = SECOND + 43_170;
  return { name: 'day', seconds: 86_400, limit: 5_000, remaining, secondsLeft: 43_170, resetAt };
};

it('headers show the tighter window in epoch seconds, and both in the RateLimit fields', () => {
  const windows = [minute(20), day(4_899)];
  expect(rateLimitHeaders({ allowed: true, scope: 'shared', windows })).toEqual({
    'x-ratelimit-limit': '30',
    'x-ratelimit-remaining': '20',
    'x-ratelimit-reset': String(SECOND + 30),
    ratelimit: '"minute";r=20;t=30, "day";r=4899;t=43170',
    'ratelimit-policy': '"minute";q=30;w=60, "day";q=5000;w=86400',
  });
  expect(rateLimitHeaders({ allowed: true, scope: 'local', windows })['x-ratelimit-scope']).toBe('local');
});

it('of two windows used up, the tighter one is the day: retrying after a minute would be in vain', () => {
  expect(tighterWindow({ windows: [minute(0), day(0)] })).toMatchObject({ name: 'day', remaining: 0 });
});

it('a gateway’s share of a limit is never nothing', () => {
  expect([shareOf(30, 3), shareOf(5_000, 3), shareOf(30, 100)]).toEqual([10, 1_666, 1]);
});

it('a window ends by the clock that cuts it, whatever the gateway’s says', () => {
  for (const skewMs of [-29_000, -1, 0, 1, 29_000]) {
    expect(endOf(60, 30_000, NOON + skewMs)).toBe(SECOND + 30);
    expect(endOf(86_400, 43_170_000, NOON + skewMs)).toBe(SECOND + 43_170);
  }
});

it('usage is never more than the plan allows, also after a larger plan', () => {
  const grant = (used: number) => ({ isGranted: true, used, nowMs: NOON });
  expect(usageOf('starter', [grant(40), grant(41)])).toEqual({
    plan: 'starter',
    minute: { limit: 30, used: 30, resets_at: '2026-01-01T12:01:00.000Z' },
    day: { limit: 5_000, used: 41, resets_at: '2026-01-02T00:00:00.000Z' },
  });
});
