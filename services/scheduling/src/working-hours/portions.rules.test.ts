import { daysOf } from './date-range.rules.ts';
import { portionsOf, rangesWithin } from './portions.rules.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const days = (from: string, to: string) => ({ timezone: 'Europe/Berlin', from, to });
const YEAR = days('2031-01-01', '2031-12-31');

describe('portions of calendars', () => {
  it('are one for a business of a usual size', () => {
    expect([...portionsOf(numbers(20), days('2031-01-01', '2031-01-31'))]).toEqual([numbers(20)]);
    const fortnight = days('2031-01-01', '2031-01-15');
    expect([...rangesWithin(fortnight, 20)]).toEqual([fortnight]);
  });

  it('hold at most a thousand days of all staff together, and leave out nobody', () => {
    const portions = [...portionsOf(numbers(200), YEAR)];
    for (const portion of portions) expect(portion.length * daysOf(YEAR)).toBeLessThanOrEqual(1_000);
    expect(portions.flat()).toEqual(numbers(200));
  });

  it('hold at most a thousand days of a range, and leave out no day', () => {
    const ranges = [...rangesWithin(YEAR, 200)];
    for (const range of ranges) expect(200 * daysOf(range)).toBeLessThanOrEqual(1_000);
    expect(ranges.map(daysOf).reduce((sum, count) => sum + count, 0)).toBe(365);
    expect([ranges[0]?.from, ranges[0]?.to, ranges[1]?.from]).toEqual([
      '2031-01-01',
      '2031-01-05',
      '2031-01-06',
    ]);
    expect(ranges.at(-1)?.to).toBe('2031-12-31');
  });

  it('count no more days than have entries of their own, and hold one at least', () => {
    expect([...portionsOf(numbers(3), days('2031-01-01', '2051-01-01'))]).toEqual([[0, 1], [2]]);
    expect([...rangesWithin(days('2031-01-01', '2031-01-02'), 5_000)]).toHaveLength(2);
  });
});
