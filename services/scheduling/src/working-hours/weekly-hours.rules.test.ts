import { breakErrors, hoursEntries, weeklyHoursOf, withoutBreaks } from './weekly-hours.rules.ts';

const span = (text: string) => {
  const [start = '', end = ''] = text.split('-');
  return { start, end };
};
const spans = (text: string) => (text === '' ? [] : text.split(',').map(span));

describe('weekly hours', () => {
  it('are rows and come back from them, several spans a day, until midnight too; a day off is left out', () => {
    const sunday = spans('09:00-12:30,20:00-24:00');
    const entries = [
      { weekday: 7, start_minute: 540, end_minute: 750 },
      { weekday: 7, start_minute: 1_200, end_minute: 1_440 },
    ];
    expect(hoursEntries({ sunday, monday: [] })).toEqual(entries);
    expect(weeklyHoursOf(entries)).toEqual({ sunday });
  });
});

describe('breaks', () => {
  it.each([
    ['09:00-17:00', '12:00-13:00', '09:00-12:00,13:00-17:00'],
    ['09:00-17:00', '12:00-12:30,15:00-15:15', '09:00-12:00,12:30-15:00,15:15-17:00'],
    ['09:00-12:00,13:00-17:00', '10:00-10:15', '09:00-10:00,10:15-12:00,13:00-17:00'],
    ['09:00-13:00,13:00-17:00', '12:30-13:30', '09:00-12:30,13:30-17:00'],
    ['09:00-17:00', '09:00-10:00,16:00-17:00', '10:00-16:00'],
    ['09:00-10:00', '09:00-10:00', ''],
  ])('%s with a break at %s is %s', (hours, breaks, expected) => {
    const input = { hours: { friday: spans(hours) }, breaks: { friday: spans(breaks) } };
    expect(breakErrors(input)).toEqual({});
    expect(withoutBreaks(input.hours, input.breaks)).toEqual({ friday: spans(expected) });
  });

  it.each([
    ['before the hours begin', '09:00-17:00', '08:30-09:15'],
    ['after they end', '09:00-17:00', '18:00-19:00'],
    ['in a gap that is there already', '09:00-12:00,13:00-17:00', '12:00-13:00'],
    ['on a day off', '', '12:00-13:00'],
  ])('a break %s is refused', (_case, hours, breaks) => {
    const input = { hours: { friday: spans(hours) }, breaks: { friday: spans(breaks) } };
    expect(Object.keys(breakErrors(input))).toEqual(['breaks.friday']);
  });

  it('breaks without any hours are refused', () => {
    expect(Object.keys(breakErrors({ breaks: { monday: spans('12:00-13:00') } }))).toEqual(['breaks.monday']);
  });
});
