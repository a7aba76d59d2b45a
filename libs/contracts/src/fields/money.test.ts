import fc from 'fast-check';
import { toDecimal, toMinor } from './money.ts';

describe('money', () => {
  it.each([
    [4550, 'EUR', 45.5],
    [1200, 'JPY', 1200],
    [12345, 'KWD', 12.345],
    [0, 'USD', 0],
    [29, 'USD', 0.29],
  ])('%d minor units of %s are %d', (minor, currency, amount) => {
    expect(toDecimal(minor, currency)).toBe(amount);
    expect(toMinor(amount, currency)).toBe(minor);
  });

  it('refuses amounts finer than the currency or too large to be exact', () => {
    expect(toMinor(1.005, 'EUR')).toBeNull();
    expect(toMinor(0.5, 'JPY')).toBeNull();
    expect(toMinor(1e300, 'EUR')).toBeNull();
  });

  it('comes back as it went in, for every amount of minor units', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10 ** 12 }),
        fc.constantFrom('EUR', 'JPY', 'KWD'),
        (minor, currency) => {
          expect(toMinor(toDecimal(minor, currency), currency)).toBe(minor);
        },
      ),
    );
  });
});
