import { decisionFor, PLAN_WINDOWS, rateLimitHeaders, shareOf, tighterWindow } from './rate-limit.ts';

const NOON = Date.UTC(2026, 0, 1, 12, 0, 30);
const outcome = (granted: number, used: number[], scope: 'shared' | 'local' = 'shared') => ({
  grant: { granted, used, nowMs: NOON },
  scope,
  windows: PLAN_WINDOWS.starter,
});

it('of requests decided together, the first ones granted get through, each with its own remainder', () => {
  const decisions = [0, 1, 2].map((position) => decisionFor(position, outcome(2, [28, 100])));
  expect(decisions.map(({ allowed }) => allowed)).toEqual([true, true, false]);
  expect(decisions.map(({ windows }) => windows.map(({ remaining }) => remaining))).toEqual([
    [1, 4_899],
    [0, 4_898],
    [0, 4_898],
  ]);
});

it('headers tell of the tighter window in epoch seconds, and of both in the RateLimit fields', () => {
  expect(rateLimitHeaders(decisionFor(0, outcome(1, [9, 100])))).toEqual({
    'x-ratelimit-limit': '30',
    'x-ratelimit-remaining': '20',
    'x-ratelimit-reset': String(NOON / 1_000 + 30),
    ratelimit: '"minute";r=20;t=30, "day";r=4899;t=43170',
    'ratelimit-policy': '"minute";q=30;w=60, "day";q=5000;w=86400',
  });
  expect(rateLimitHeaders(decisionFor(0, outcome(1, [9, 100], 'local')))['x-ratelimit-scope']).toBe('local');
});

it('of two windows used up, the tighter one is the day: retrying after a minute would be in vain', () => {
  expect(tighterWindow(decisionFor(0, outcome(0, [30, 5_000])))).toMatchObject({ name: 'day', remaining: 0 });
});

it('a gateway’s share of the limits is never nothing', () => {
  expect(shareOf(PLAN_WINDOWS.starter, 3).map(({ limit }) => limit)).toEqual([10, 1_666]);
  expect(shareOf(PLAN_WINDOWS.starter, 100).map(({ limit }) => limit)).toEqual([1, 50]);
});
