import type { Day, DayAppointment, DayColumn, DayHold } from '@frontdesk/contracts';
import {
  appointmentsOn,
  breaksOf,
  drawnRange,
  HOUR_PIXELS,
  hourMarks,
  hoursOf,
  isPresent,
  lanesOf,
  placeOf,
} from './day-plot.rules.ts';

const HOUR = 3_600_000;
const at = (time: string) => Date.parse(`2031-06-02T${time}:00Z`);
const stretch = (from: string, to: string) => ({
  starts_at: `2031-06-02T${from}:00Z`,
  ends_at: `2031-06-02T${to}:00Z`,
});
const appointment = (from: string, to: string, status = 'scheduled') =>
  ({ ...stretch(from, to), status }) as DayAppointment;
const column = (fields: Partial<DayColumn> = {}): DayColumn => ({
  staff_id: 1,
  name: 'Anna',
  is_active: true,
  open: [],
  time_off: [],
  exception: null,
  appointments: [],
  ...fields,
});
const dayOf = (...columns: DayColumn[]): Day => ({
  date: '2031-06-02',
  timezone: 'UTC',
  slot_step_minutes: 15,
  columns,
  starts_at: '2031-06-02T00:00:00Z',
  ends_at: '2031-06-03T00:00:00Z',
});

describe('the hours of a day', () => {
  it.each([
    [
      'Europe/Berlin',
      '2031-03-30T00:00:00+01:00',
      '2031-03-31T00:00:00+02:00',
      23,
      ['00:00', '01:00', '03:00'],
    ],
    [
      ...(['Europe/Berlin', '2031-10-26T00:00:00+02:00', '2031-10-27T00:00:00+01:00', 25] as const),
      ['00:00', '01:00', '02:00', '02:00 +01:00'],
    ],
    // Half an hour back: 01:30 comes twice, no full hour does.
    [
      ...(['Australia/Lord_Howe', '2031-04-06T00:00:00+11:00', '2031-04-07T00:00:00+10:30', 24.5] as const),
      ['00:00', '01:00', '02:00'],
    ],
    ['Asia/Kathmandu', '2031-06-02T00:00:00+05:45', '2031-06-03T00:00:00+05:45', 24, ['00:00', '01:00']],
    ['Pacific/Apia', '2011-12-31T00:00:00+14:00', '2011-12-31T00:00:00+14:00', 0, ['24:00']],
  ])('of %s from %s', (timezone, starts_at, ends_at, hours, first) => {
    const day = { timezone, starts_at, ends_at };
    const labels = hourMarks(day).map(({ label }) => label);
    expect([hoursOf(day), labels.slice(0, first.length), labels.at(-1)]).toEqual([hours, first, '24:00']);
  });
});

describe('what is drawn', () => {
  it('reaches from the first to the last of work and appointments, in full hours', () => {
    const working = column({ open: [stretch('09:30', '12:00')] });
    expect(drawnRange(dayOf(working), false)).toEqual({ start: at('09:00'), end: at('12:00') });
    const late = column({
      appointments: [appointment('18:15', '19:10'), appointment('21:00', '22:00', 'cancelled')],
    });
    expect(drawnRange(dayOf(working, late), false)).toEqual({ start: at('09:00'), end: at('20:00') });
    expect(drawnRange(dayOf(working, late), true)).toEqual({ start: at('09:00'), end: at('22:00') });
    expect(drawnRange(dayOf(column()), true)).toBeNull();
  });

  it('shows what somebody has taken off between other hours, and closures only beside something else', () => {
    const off = (is_of_business: boolean) => ({
      ...stretch('14:00', '16:30'),
      note: null,
      entry: { id: 7, start: '2031-06-02T14:00', end: '2031-06-02T16:30', is_of_business },
    });
    const away = column({ time_off: [off(false)] });
    expect(drawnRange(dayOf(away), false)).toEqual({ start: at('14:00'), end: at('17:00') });
    expect(drawnRange(dayOf(column({ time_off: [off(true)] })), false)).toBeNull();
    const closed = column({ open: [stretch('09:00', '12:00')], time_off: [off(true)] });
    expect(drawnRange(dayOf(closed), false)).toEqual({ start: at('09:00'), end: at('17:00') });
    const business = column({ staff_id: null, time_off: [off(true)] });
    expect(isPresent(dayOf(business), business, false)).toBe(true);
    expect(isPresent(dayOf(away), column({ time_off: [off(true)] }), false)).toBe(false);
  });

  it('shows what is held, also where nobody works', () => {
    const held = column({ holds: [stretch('18:10', '18:40') as DayHold] });
    expect(drawnRange(dayOf(held), false)).toEqual({ start: at('18:00'), end: at('19:00') });
    expect(isPresent(dayOf(held), held, false)).toBe(true);
  });

  it('ends with the day, also of an appointment that goes on', () => {
    const overnight = { ...appointment('23:30', '23:59'), ends_at: '2031-06-03T01:00:00Z' };
    const day = dayOf(column({ appointments: [overnight] }));
    expect(drawnRange(day, false)).toEqual({ start: at('23:00'), end: at('23:00') + HOUR });
  });

  it('leaves out what touches the day by its buffers alone', () => {
    const next = {
      ...appointment('00:00', '01:00'),
      starts_at: '2031-06-03T00:10:00Z',
      ends_at: '2031-06-03T01:00:00Z',
    };
    const day = dayOf(column({ appointments: [next] }));
    expect(appointmentsOn(day, day.columns[0] as DayColumn, true)).toEqual([]);
  });

  it('has its place by the time that passes, cut at the edges', () => {
    const range = { start: at('09:00'), end: at('12:00') };
    expect(placeOf({ start: at('10:00'), end: at('10:30') }, range)).toEqual({
      top: HOUR_PIXELS,
      height: HOUR_PIXELS / 2,
    });
    expect(placeOf({ start: at('08:00'), end: at('10:00') }, range)).toEqual({ top: 0, height: HOUR_PIXELS });
    expect(placeOf({ start: at('12:00'), end: at('13:00') }, range)).toBeNull();
  });
});

it('a gap between two stretches of work is a break, unless it is time off', () => {
  const open = [stretch('09:00', '12:00'), stretch('13:00', '15:00'), stretch('16:00', '17:00')];
  const time_off = [{ ...stretch('15:00', '16:00'), note: null }];
  expect(breaksOf({ open, time_off })).toEqual([{ start: at('12:00'), end: at('13:00') }]);
});

it('what overlaps stands beside each other, and no wider than it must', () => {
  const stretches = [
    ['a', '09:00', '11:00'],
    ['b', '09:30', '10:00'],
    ['c', '10:00', '10:30'],
    ['d', '11:00', '12:00'],
  ].map(([name, from, to]) => ({ name, start: at(from ?? ''), end: at(to ?? '') }));
  expect(lanesOf(stretches).map(({ stretch: { name }, lane, lanes }) => [name, lane, lanes])).toEqual([
    ['a', 0, 2],
    ['b', 1, 2],
    ['c', 1, 2],
    ['d', 0, 1],
  ]);
});
