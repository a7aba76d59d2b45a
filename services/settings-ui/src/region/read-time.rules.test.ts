import fc from 'fast-check';
import { clockText } from './dates.rules.ts';
import { readTime, timeText, typedTime } from './read-time.rules.ts';

it.each([
  ['14:00', '14:00'],
  ['14.00', '14:00'],
  ['1400', '14:00'],
  ['930', '09:30'],
  ['9', '09:00'],
  ['09', '09:00'],
  [' 9:05 ', '09:05'],
  ['14h', '14:00'],
  ['14h30', '14:30'],
  ['14 h', '14:00'],
  ['14 Uhr', '14:00'],
  ['14:30 Uhr', '14:30'],
  ['2pm', '14:00'],
  ['2 PM', '14:00'],
  ['2:00 PM', '14:00'],
  ['2:00\u202FPM', '14:00'],
  ['2:00\u00A0p.m.', '14:00'],
  ['2.30p', '14:30'],
  ['12am', '00:00'],
  ['12:30 a. m.', '00:30'],
  ['12 pm', '12:00'],
  ['0', '00:00'],
  ['24:00', '24:00'],
])('%s is read as %s', (typed, time) => expect(readTime(typed)).toBe(time));

it.each([
  '',
  ' ',
  'nine',
  '25:00',
  '24:01',
  '12:60',
  '13pm',
  '0am',
  '14h pm',
  '9:5',
  '12345',
  '-9',
  '9-17',
  '٩',
])('%j is no time', (typed) => {
  expect(readTime(typed)).toBeNull();
  expect(typedTime(typed)).toBe(typed);
  expect(timeText({ zone: 'UTC', country: 'US' }, typed)).toBe(typed);
});

const COUNTRIES = ['US', 'DE', 'CA', 'AU', 'DK', 'FI', 'JP', 'IN', 'AE', 'BR', 'ZA'];

it('what a country’s clock shows, and what a field shows, is read as the same time', () => {
  const minutes = fc.integer({ min: 0, max: 1_439 });
  fc.assert(
    fc.property(minutes, fc.constantFrom(...COUNTRIES), (minute, country) => {
      const time = Temporal.PlainTime.from('00:00')
        .add({ minutes: minute })
        .toString({ smallestUnit: 'minute' });
      const region = { zone: 'UTC', country };
      expect(readTime(clockText(region, time))).toBe(time);
      expect(readTime(timeText(region, time))).toBe(time);
    }),
  );
});

it('nothing that is typed is an error of ours', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (typed) => {
      expect(readTime(typed) ?? '00:00').toMatch(/^([01]\d|2[0-4]):[0-5]\d$/);
    }),
  );
});
