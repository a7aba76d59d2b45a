import { createSpentLimits } from './page-limits.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

it('a limit is used up until its window ends, and no other with it', () => {
  const limits = createSpentLimits();
  limits.note('a', 30);
  expect([limits.secondsLeft('a'), limits.secondsLeft('b')]).toEqual([30, 0]);
  jest.advanceTimersByTime(29_500);
  expect(limits.secondsLeft('a')).toBe(1);
  jest.advanceTimersByTime(500);
  expect(limits.secondsLeft('a')).toBe(0);
  limits.note('a', 30);
  expect(limits.secondsLeft('a')).toBe(30);
});
