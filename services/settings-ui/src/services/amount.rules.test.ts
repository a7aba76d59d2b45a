import { minorUnitDigits, toMinor } from '@frontdesk/contracts';
import fc from 'fast-check';
import { NO_REGION, type Region } from '../region/region.rules.ts';
import { AmountFault, amountText, readAmount } from './amount.rules.ts';

const faultOf = (text: string, currency: string | null) => {
  const read = readAmount(text, currency, NO_REGION);
  return read instanceof AmountFault ? read.message : read;
};

it.each([
  ['29.50', 29.5],
  ['29,50', 29.5],
  ['29,5', 29.5],
  ['29', 29],
  [' 29 ', 29],
  ['0', 0],
  ['0,50', 0.5],
  ['1,234.50', 1_234.5],
  ['1.234,50', 1_234.5],
  ['1 234,50', 1_234.5],
  ['1\u202F234,50', 1_234.5],
  ['1\u00A0234.50', 1_234.5],
  ['1’234.50', 1_234.5],
  ['1.234.567,89', 1_234_567.89],
  // Euros have no third decimal, so it groups.
  ['1,234', 1_234],
  ['1.234', 1_234],
])('%s is read as %d euros', (text, amount) => expect(readAmount(text, 'EUR', NO_REGION)).toBe(amount));

it.each([
  ['1,234', 'JPY', 1_234],
  ['1.234', 'JPY', 1_234],
  ['1.234', 'KWD', 1.234],
  ['0,500', 'KWD', 0.5],
  ['1,234.567', 'KWD', 1_234.567],
  ['1.234', null, 1.234],
] as const)('%s in %s is %d', (text, currency, amount) =>
  expect(readAmount(text, currency, NO_REGION)).toBe(amount),
);

it.each([
  ['', 'EUR', undefined],
  ['29.505', 'EUR', 29_505],
  ['0.505', 'EUR', 'EUR has at most 2 decimals: enter an amount such as 29.50.'],
  ['29,5055', 'EUR', 'EUR has at most 2 decimals: enter an amount such as 29.50.'],
  ['29.50', 'JPY', 'JPY has no decimals: enter a whole amount, such as 2950.'],
  ['1,234', 'KWD', '1,234 could mean 1234 or 1.234. Enter it in one of these two ways.'],
  ['1,234', null, '1,234 could mean 1234 or 1.234. Enter it in one of these two ways.'],
] as const)('%s in %s: %s', (text, currency, fault) => expect(faultOf(text, currency)).toBe(fault));

it.each([
  '1,23.50',
  '1,234,5',
  '1.234.50',
  '1,234.567,89',
  '-5',
  '+5',
  '1e3',
  '0x10',
  '€29.50',
  '.50',
  '29.',
  '007',
  '1  234',
  '1 234.567 890',
  '٢٩',
  'free',
  'NaN',
  '1,234,567.8.9',
])('%s is no amount', (text) => expect(faultOf(text, 'EUR')).toBe('Enter an amount such as 29.50.'));

const of = (country: string): Region => ({ zone: 'UTC', country });
const [US, GERMANY, SWITZERLAND] = ['US', 'DE', 'CH'].map(of) as [Region, Region, Region];

it.each([
  ['1,234', US, 1_234],
  ['1.234', US, 1.234],
  ['1,234', GERMANY, 1.234],
  ['1.234', GERMANY, 1_234],
  ['1.234', SWITZERLAND, 1.234],
  ['1’234', SWITZERLAND, 1_234],
  ['0.500', GERMANY, 0.5],
  ['0,500', US, 0.5],
] as const)('three decimals are what they are in the country: %s', (text, region, amount) =>
  expect(readAmount(text, 'KWD', region)).toBe(amount),
);

it.each(['TN', 'LY', 'KW', 'BH'].map(of))(
  'where the country’s own marks are not known, a comma before three decimals could be either: $country',
  (region) => {
    expect(readAmount('25,500', 'TND', region)).toBeInstanceOf(AmountFault);
    expect(readAmount(amountText(25.5, 'TND', region), 'TND', region)).toBe(25.5);
  },
);

it.each([
  ['1,00,000', 100_000],
  ['12,34,567.50', 1_234_567.5],
])('groups as in India are read: %s', (text, amount) =>
  expect(readAmount(text, 'INR', of('IN'))).toBe(amount),
);

it('amounts are shown with the country’s mark, in examples too', () => {
  expect(amountText(1_234.5, 'EUR', GERMANY)).toBe('1234,50');
  expect(amountText(1_234.5, 'USD', US)).toBe('1234.50');
  expect(readAmount('free', 'EUR', GERMANY)).toEqual(new AmountFault('Enter an amount such as 29,50.'));
});

const MOST_MINOR = 100_000_000_000;
/** How the world writes an amount: what groups, what divides. */
const STYLES = [
  ['', '.'],
  ['', ','],
  [',', '.'],
  ['.', ','],
  [' ', ','],
  ['\u00A0', ','],
  ['\u202F', '.'],
  ['’', '.'],
] as const;

it('whatever the style, an amount with all its decimals is read as it was written, to the last minor unit', () => {
  const amounts = fc.tuple(
    fc.integer({ min: 0, max: MOST_MINOR }),
    fc.constantFrom('EUR', 'JPY', 'KWD', 'USD'),
    fc.constantFrom(...STYLES),
  );
  fc.assert(
    fc.property(amounts, ([minor, currency, [group, point]]) => {
      const decimals = minorUnitDigits(currency);
      const digits = String(minor).padStart(decimals + 1, '0');
      const whole = digits.slice(0, digits.length - decimals);
      const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, group);
      const text = decimals === 0 ? grouped : `${grouped}${point}${digits.slice(-decimals)}`;
      const read = readAmount(text, currency, NO_REGION);
      // A comma with three digits behind it may group: never read wrongly, but refused.
      if (decimals === 3 && point === ',' && /^[1-9]\d{0,2},\d{3}$/.test(text))
        expect(read).toBeInstanceOf(AmountFault);
      else expect(toMinor(read as number, currency)).toBe(minor);
    }),
  );
});

it('what a form shows is read back as the same amount', () => {
  const stored = fc.tuple(
    fc.integer({ min: 0, max: MOST_MINOR }),
    fc.constantFrom('EUR', 'JPY', 'KWD'),
    fc.constantFrom(NO_REGION, US, GERMANY, SWITZERLAND),
  );
  fc.assert(
    fc.property(stored, ([minor, currency, region]) => {
      const price = minor / 10 ** minorUnitDigits(currency);
      expect(readAmount(amountText(price, currency, region), currency, region)).toBe(price);
    }),
  );
});

it('nothing that is typed is an error of ours', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('EUR', 'JPY', 'KWD', null),
      (text, currency) => {
        const read = readAmount(text, currency, NO_REGION);
        expect(read instanceof AmountFault || (Number.isFinite(read) && read >= 0)).toBe(true);
      },
    ),
  );
});
