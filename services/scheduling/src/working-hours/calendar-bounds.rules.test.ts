import { MAX_CALENDAR_ENTRIES, MAX_SPANS } from '@frontdesk/contracts';
import { timeOfMinute } from '@frontdesk/local-time';
import { boundErrors, dateBoundErrors } from './calendar-bounds.rules.ts';
import { EMPTY_CALENDAR } from './own-calendar.rules.ts';

const spans = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ start: timeOfMinute(20 * n), end: timeOfMinute(20 * n + 10) }));
const dates = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    date: Temporal.PlainDate.from('2031-01-01').add({ days: n }).toString(),
    hours: [],
    note: null,
  }));
const holidays = (count: number) =>
  dates(count).map(({ date }, id) => ({ id, start: `${date}T00:00`, end: `${date}T10:00`, note: null }));

describe('the bounds of a calendar', () => {
  it.each([
    ['hours.monday', 'spans', (count: number) => ({ hours: { monday: spans(count) } }), MAX_SPANS],
    ['exceptions', 'dates', (count: number) => ({ exceptions: dates(count) }), MAX_CALENDAR_ENTRIES],
    ['time_off', 'times off', (count: number) => ({ time_off: holidays(count) }), MAX_CALENDAR_ENTRIES],
  ])(
    'refuse on %s more %s than they allow; what exists beyond stays and may become fewer',
    (field, _what, of, max) => {
      const errorsOf = (before: number, after: number) =>
        Object.keys(boundErrors({ ...EMPTY_CALENDAR, ...of(before) }, of(after)));
      expect(errorsOf(0, max)).toEqual([]);
      expect(errorsOf(0, max + 1)).toEqual([field]);
      expect(errorsOf(max + 20, max + 20)).toEqual([]);
      expect(errorsOf(max + 20, max + 19)).toEqual([]);
      expect(errorsOf(max + 20, max + 21)).toEqual([field]);
    },
  );

  it('count what breaks leave of a day', () => {
    const hours = { monday: [{ start: '00:00', end: '24:00' }] };
    const breaks = (count: number) => ({ monday: spans(count + 1).slice(1) });
    expect(boundErrors(EMPTY_CALENDAR, { hours, breaks: breaks(MAX_SPANS - 1) })).toEqual({});
    expect(Object.keys(boundErrors(EMPTY_CALENDAR, { hours, breaks: breaks(MAX_SPANS) }))).toEqual([
      'breaks.monday',
    ]);
  });

  it('hold for the hours of a date, too', () => {
    const [date] = dates(1).map((entry) => ({ ...entry, hours: spans(MAX_SPANS + 2) }));
    const fewer = { ...date, hours: spans(MAX_SPANS + 1) } as NonNullable<typeof date>;
    expect(Object.keys(dateBoundErrors(EMPTY_CALENDAR, fewer))).toEqual(['hours']);
    expect(Object.keys(boundErrors(EMPTY_CALENDAR, { exceptions: [fewer] }))).toEqual(['exceptions.0.hours']);
    expect(dateBoundErrors({ ...EMPTY_CALENDAR, exceptions: [date as typeof fewer] }, fewer)).toEqual({});
  });
});
