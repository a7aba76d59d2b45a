import { decisionFor, PLAN_WINDOWS, rateLimitHeaders, shareOf, tighterWindow } from './rate-limit.ts';

const NOON = Date.UTC(2026, 0, 1, 12, 0, 30);
const decision = (granted: number, used: number[], scope: 'shared' | 'local' = 'shared') =>
  decisionFor(PLAN_WINDOWS.starter, { granted, used, nowMs: NOON }, scope);

it('headers show the tighter window in epoch seconds, and both in the RateLimit fields', () => {
  expect(rateLimitHeaders(decision(1, [9, 100]))).toEqual({
    'x-ratelimit-limit': '30',
    'x-ratelimit-remaining': '20',
    'x-ratelimit-reset': String(NOON / 1_000 + 30),
    ratelimit: '"minute";r=20;t=30, "day";r=4899;t=43170',
    'ratelimit-policy': '"minute";q=30;w=60, "day";q=5000;w=86400',
  });
  expect(rateLimitHeaders(decision(1, [9, 100], 'local'))['x-ratelimit-scope']).toBe('local');
});

it('of two windows used up, the tighter one is the day: retrying after a minute would be in vain', () => {
  expect(tighterWindow(decision(0, [30, 5_000]))).toMatchObject({ name: 'day', remaining: 0 });
});

it('a gateway’s share of the limits is never nothing', () => {
  expect(shareOf(PLAN_WINDOWS.starter, 3).map(({ limit }) => limit)).toEqual([10, 1_666]);
  expect(shareOf(PLAN_WINDOWS.starter, 100).map(({ limit }) => limit)).toEqual([1, 50]);
});
