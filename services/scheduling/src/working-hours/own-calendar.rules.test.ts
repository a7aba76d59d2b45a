import { calendarInput } from '@frontdesk/contracts';
import { calendarChange, isChange, type OwnCalendar } from './own-calendar.rules.ts';

const NINE = { start: '09:00', end: '17:00' };
const AWAY = { start: '2031-08-01T00:00', end: '2031-08-15T00:00', note: 'Holiday' };

const before: OwnCalendar = {
  hours: { monday: [NINE] },
  exceptions: [
    { date: '2031-12-24', hours: [NINE], note: null },
    { date: '2031-12-31', hours: [], note: null },
  ],
  time_off: [
    { id: 7, ...AWAY },
    { id: 8, ...AWAY },
  ],
};
const changeTo = (input: object) => calendarChange(before, calendarInput.parse(input));

describe('the change of a calendar', () => {
  it.each([
    ['nothing', {}],
    ['the same hours', { hours: { monday: [NINE] } }],
    ['a day off that is spelled out', { hours: { monday: [NINE], sunday: [] } }],
    ['the same exceptions in another order', { exceptions: before.exceptions.toReversed() }],
    ['the same time off', { time_off: [AWAY, AWAY] }],
  ])('is none for %s', (_case, input) => {
    expect(isChange(changeTo(input))).toBe(false);
  });

  it.each([
    ['hours', { hours: {} }],
    ['hours', { hours: { monday: [NINE] }, breaks: { monday: [{ start: '12:00', end: '13:00' }] } }],
    ['exceptions', { exceptions: before.exceptions.slice(1) }],
    ['exceptions', { exceptions: before.exceptions.map((entry) => ({ ...entry, note: 'x' })) }],
    ['time_off', { time_off: [AWAY] }],
    ['time_off', { time_off: [AWAY, { ...AWAY, note: null }] }],
  ])('names only what is to be replaced: %s of %j', (part, input) => {
    expect(Object.keys(changeTo(input))).toEqual([part]);
  });
});
