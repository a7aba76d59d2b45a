import { createRetrySchedule, parseRetryAfter } from './retry.rules.ts';

describe('createRetrySchedule', () => {
  const middle = createRetrySchedule([30, 300], () => 0.5);

  it('makes three attempts in all: at once, after 30 seconds, after 5 minutes', () => {
    expect(middle.delayAfterMs(1, null)).toBe(30_000);
    expect(middle.delayAfterMs(2, null)).toBe(300_000);
    expect(middle.delayAfterMs(3, null)).toBeNull();
  });

  it('spreads each delay by ten per cent to both sides', () => {
    expect(createRetrySchedule([30], () => 0).delayAfterMs(1, null)).toBe(27_000);
    expect(createRetrySchedule([30], () => 1).delayAfterMs(1, null)).toBe(33_000);
  });

  it('waits as long as the receiver asks, up to an hour', () => {
    expect(middle.delayAfterMs(1, 60_000)).toBe(60_000);
    expect(middle.delayAfterMs(1, 86_400_000)).toBe(3_600_000);
  });

  it('never comes back sooner than scheduled, nor within a second', () => {
    expect(middle.delayAfterMs(1, 0)).toBe(30_000);
    expect(createRetrySchedule([0.1], () => 0.5).delayAfterMs(1, 0)).toBe(1_000);
  });

  it('makes no further attempt for a Retry-After on the last one', () => {
    expect(middle.delayAfterMs(3, 60_000)).toBeNull();
  });
});

describe('parseRetryAfter', () => {
  const now = Date.parse('2026-03-02T10:00:00Z');

  it.each([
    ['120', 120_000],
    ['Mon, 02 Mar 2026 10:00:30 GMT', 30_000],
    ['Mon, 02 Mar 2026 09:00:00 GMT', 0],
    ['soon', null],
    ['', null],
    [null, null],
  ])('reads %p as %p ms', (header, expected) => {
    expect(parseRetryAfter(header, now)).toBe(expected);
  });
});
