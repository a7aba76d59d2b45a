import { countryField } from '@frontdesk/contracts';
import { clockIn, clockText, dayAndYear, hourText, longDate, shortDate, spanText } from './dates.rules.ts';
import { NO_REGION, type Region, regionOf } from './region.rules.ts';
import { formatsOf } from './region-formats.rules.ts';
import { countText, latencyText, moneyText, shortCount } from './words.rules.ts';

const LETTERS = Array.from({ length: 26 }, (_, index) => String.fromCodePoint(65 + index));
const COUNTRIES = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(
  (code) => countryField.safeParse(code).success,
);
const of = (country: string): Region => ({ zone: 'UTC', country });

const DATE = '2026-11-23';
const AT = '2026-11-23T14:05:00Z';

/** As pages show them, with ordinary spaces. */
const shownIn = (country: string) =>
  [
    dayAndYear(of(country), DATE),
    clockIn(of(country), AT),
    countText(of(country), 1_234_567.5),
    moneyText(of(country), 12_345.5, 'EUR'),
  ].map((text) => text.replaceAll(/\s/gu, ' '));

it('there are all countries', () => expect(COUNTRIES.length).toBeGreaterThan(240));

it.each([
  ['US', ['Nov 23, 2026', '2:05 PM', '1,234,567.5', '€12,345.50']],
  ['BR', ['23 Nov 2026', '14:05', '1.234.567,5', '€ 12.345,50']],
  ['DE', ['23 Nov 2026', '14:05', '1.234.567,5', '12.345,50 €']],
  ['CH', ['23 Nov 2026', '14:05', "1'234'567.5", "EUR 12'345.50"]],
  ['FR', ['23 Nov 2026', '14:05', '1 234 567,5', '12 345,50 €']],
  ['ZA', ['23 Nov 2026', '14:05', '1 234 567,5', '€12 345,50']],
  ['IN', ['23 Nov 2026', '2:05 pm', '12,34,567.5', '€12,345.50']],
  ['JP', ['Nov 23, 2026', '14:05', '1,234,567.5', '€12,345.50']],
  ['AE', ['23 Nov 2026', '2:05 PM', '1,234,567.5', '€12,345.50']],
  ['AU', ['23 Nov 2026', '2:05 pm', '1,234,567.5', 'EUR 12,345.50']],
])('%s writes dates, clocks, numbers and amounts as %j', (country, shown) =>
  expect(shownIn(country)).toEqual(shown),
);

it('without a country, pages are written as in Great Britain, and times are in UTC', () => {
  expect(regionOf({ tenant: null })).toEqual({ zone: 'UTC', country: null });
  expect(longDate(NO_REGION, DATE)).toBe(longDate(of('GB'), DATE));
  expect(clockIn(NO_REGION, AT)).toBe('14:05');
  expect(moneyText(NO_REGION, 1_234.5, 'GBP')).toBe('£1,234.50');
});

it('a span says once which half of the day it lies in', () => {
  const spans = [
    ['14:00', '15:30'],
    ['09:00', '12:00'],
    ['20:00', '24:00'],
    ['00:00', '24:00'],
  ] as const;
  const shown = spans.map(([start, end]) => spanText(of('US'), start, end).replaceAll('\u00A0', ' '));
  expect(shown).toEqual([
    '2:00 – 3:30 PM',
    '9:00 AM – 12:00 PM',
    '8:00 PM – 12:00 AM',
    '12:00 AM – 12:00 AM',
  ]);
});

describe.each(COUNTRIES)('%s', (country) => {
  const region = of(country);
  const { isTwelveHour, decimalMark } = formatsOf(region);
  const currencies = ['EUR', 'USD', 'BGN', 'ILS', 'AED', 'THB'];
  const all = [
    ...[
      longDate(region, DATE),
      shortDate(region, DATE),
      clockText(region, '14:05'),
      hourText(region, '14:00'),
    ],
    ...[countText(region, 1_234_567.5), shortCount(region, 12_345), latencyText(region, 1_250)],
    ...currencies.map((currency) => moneyText(region, 1_234.5, currency)),
  ];

  it('is written in Latin letters and digits, with no marks for the direction of text', () => {
    for (const text of all) expect(text).toMatch(/^(?:\p{Script=Latin}|[0-9]|[\p{P}\p{Zs}\p{Sc}])+$/u);
  });

  it('has one clock', () => {
    const hour = new Intl.Locale(`und-${country}`).getHourCycles()[0];
    expect(hour).toBe(isTwelveHour ? 'h12' : 'h23');
    expect(clockText(region, '14:05')).toMatch(isTwelveHour ? /^2[:.]05\u00A0[ap]\.?m/iu : /^14[:.]05$/u);
    expect(clockText(region, '24:00')).toMatch(isTwelveHour ? /^12[:.]00\u00A0a\.?m/iu : /^24:00$/u);
    expect(spanText(region, '09:00', '17:00')).toMatch(isTwelveHour ? /\u00A0– /u : /^09[:.]00–17[:.]00$/u);
  });

  it('has one decimal mark', () => {
    expect([',', '.']).toContain(decimalMark);
    expect(countText(region, 0.5)).toBe(`0${decimalMark}5`);
    expect(moneyText(region, 0.5, 'EUR')).toContain(`0${decimalMark}50`);
  });
});
