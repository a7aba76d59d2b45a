import { EMPTY_CALENDAR, type OwnCalendar } from '../working-hours/own-calendar.rules.ts';
import { hoursEntries } from '../working-hours/weekly-hours.rules.ts';
import { openingHoursOf } from './opening-hours.rules.ts';

const MONDAY = '2031-06-02';
const WEEK = { from: MONDAY, days: 7 };
const span = (start: string, end: string) => ({ start, end });
const nineToFive = [span('09:00', '17:00')];

function openingHours(own: Partial<OwnCalendar>, ofStaff: OwnCalendar['hours'][] = [], dates = WEEK) {
  const calendar = { ...EMPTY_CALENDAR, ...own };
  return openingHoursOf({ own: calendar, ofStaff: ofStaff.flatMap(hoursEntries) }, dates);
}

const closure = (start: string, end: string) => ({ id: 1, start, end, note: 'not told' });
const dated = (date: string, ...hours: OwnCalendar['exceptions'][number]['hours']) => ({
  date,
  hours,
  note: 'not told',
});

describe('the opening hours', () => {
  it('are those of the business where it has entered any, whatever its staff work', () => {
    const { opening_hours, exceptions } = openingHours({ hours: { monday: nineToFive } }, [
      { tuesday: nineToFive },
    ]);
    expect(opening_hours).toEqual({
      monday: nineToFive,
      tuesday: [],
      wednesday: [],
      thursday: [],
      friday: [],
      saturday: [],
      sunday: [],
    });
    expect(exceptions).toEqual([]);
  });

  it('are otherwise when anybody works: spans that overlap or touch are one', () => {
    const { opening_hours } = openingHours({}, [
      { monday: [span('09:00', '12:00'), span('13:00', '15:00')] },
      { monday: [span('12:00', '12:30'), span('14:00', '18:00')], sunday: [span('20:00', '24:00')] },
    ]);
    expect(opening_hours.monday).toEqual([span('09:00', '12:30'), span('13:00', '18:00')]);
    expect(opening_hours.sunday).toEqual([span('20:00', '24:00')]);
  });

  it('are none of a business that has entered nothing', () => {
    const { opening_hours, exceptions } = openingHours({});
    expect(Object.values(opening_hours)).toEqual(Array(7).fill([]));
    expect(exceptions).toEqual([]);
  });
});

describe('the dates with other hours', () => {
  const hours = { monday: nineToFive, tuesday: nineToFive, sunday: [span('22:00', '24:00')] };

  it('are those whose hours differ, in order, without those that are as usual or not among the days', () => {
    const { exceptions } = openingHours({
      hours,
      exceptions: [
        dated('2031-06-01'),
        dated(MONDAY, span('09:00', '12:00'), span('12:00', '17:00')),
        dated('2031-06-03', span('08:00', '20:00')),
        dated('2031-06-04', span('10:00', '11:00')),
        dated('2031-06-05'),
        dated('2031-06-09'),
      ],
    });
    expect(exceptions).toEqual([
      { date: '2031-06-03', hours: [span('08:00', '20:00')] },
      { date: '2031-06-04', hours: [span('10:00', '11:00')] },
    ]);
  });

  it('are cut by closures, by day and by hour, also across midnight', () => {
    const { exceptions } = openingHours({
      hours,
      time_off: [
        closure('2031-05-01T00:00', `${MONDAY}T10:00`),
        closure(`${MONDAY}T12:00`, `${MONDAY}T13:00`),
        closure(`${MONDAY}T12:30`, `${MONDAY}T14:00`),
        closure('2031-06-03T16:00', '2031-06-08T23:00'),
      ],
    });
    expect(exceptions).toEqual([
      { date: MONDAY, hours: [span('10:00', '12:00'), span('14:00', '17:00')] },
      { date: '2031-06-03', hours: [span('09:00', '16:00')] },
      { date: '2031-06-08', hours: [span('23:00', '24:00')] },
    ]);
  });

  it('are cut by closures that lie on a date with hours of its own', () => {
    const { exceptions } = openingHours({
      hours,
      exceptions: [dated(MONDAY, span('08:00', '20:00'))],
      time_off: [closure(`${MONDAY}T09:00`, `${MONDAY}T10:00`)],
    });
    expect(exceptions).toEqual([{ date: MONDAY, hours: [span('08:00', '09:00'), span('10:00', '20:00')] }]);
  });

  it('end with the last of the days: a closure of years is so many dates', () => {
    const time_off = [closure('2020-01-01T00:00', '2040-01-01T00:00')];
    const all = {
      ...hours,
      wednesday: nineToFive,
      thursday: nineToFive,
      friday: nineToFive,
      saturday: nineToFive,
    };
    const { exceptions } = openingHours({ hours: all, time_off }, [], { from: MONDAY, days: 90 });
    expect(exceptions).toHaveLength(90);
    expect(exceptions.at(-1)).toEqual({ date: '2031-08-30', hours: [] });
  });

  it('where staff have hours of their own, a shorter day is theirs too, and a longer one is not', () => {
    const ofStaff = [{ monday: nineToFive, tuesday: nineToFive }];
    const { exceptions } = openingHours(
      {
        exceptions: [
          dated(MONDAY, span('08:00', '12:00')),
          dated('2031-06-03', span('06:00', '22:00')),
          dated('2031-06-04', span('09:00', '12:00')),
        ],
      },
      ofStaff,
    );
    expect(exceptions).toEqual([{ date: MONDAY, hours: [span('09:00', '12:00')] }]);
  });
});
