import type { Day, DayAppointment, DayColumn, DayHold } from '@frontdesk/contracts';
import { bookingGrid, freeTimes, isOutsideHours } from './booking-grid.rules.ts';

const berlin = (date: string, starts_at: string, ends_at: string, slot_step_minutes = 15): Day => ({
  date,
  timezone: 'Europe/Berlin',
  starts_at,
  ends_at,
  slot_step_minutes,
  columns: [],
});
const monday = (step?: number) =>
  berlin('2031-06-02', '2031-06-02T00:00:00+02:00', '2031-06-03T00:00:00+02:00', step);
const at = (time: string) => Date.parse(`2031-06-02T${time}:00+02:00`);
const stretch = (from: string, to: string) => ({
  starts_at: `2031-06-02T${from}:00+02:00`,
  ends_at: `2031-06-02T${to}:00+02:00`,
});
const booked = (from: string, to: string, status = 'scheduled') =>
  ({
    ...stretch(from, to),
    status,
    buffer_before_minutes: 0,
    buffer_after_minutes: 15,
  }) as DayAppointment;

const times = (day: Day, from: string, to: string) =>
  bookingGrid(day, { start: Date.parse(from), end: Date.parse(to) }).map(({ time }) => time);

it('bookings begin on steps from midnight on; one that can’t be pointed at is a multiple', () => {
  const [from, to] = ['2031-06-02T09:00:00+02:00', '2031-06-02T10:00:00+02:00'];
  expect(times(monday(), from, to)).toEqual(['09:00', '09:15', '09:30', '09:45']);
  expect(times(monday(50), from, to)).toEqual(['09:10']);
  expect(times(monday(2), from, to)).toEqual(
    ['09:00', '09:06', '09:12', '09:18', '09:24'].concat(...['09:30', '09:36', '09:42', '09:48', '09:54']),
  );
});

it('by the clocks: what they skip is no start, and what they show twice is its first', () => {
  const spring = berlin('2031-03-30', '2031-03-30T00:00:00+01:00', '2031-03-31T00:00:00+02:00', 30);
  expect(times(spring, '2031-03-30T01:00:00+01:00', '2031-03-30T04:00:00+02:00')).toEqual([
    '01:00',
    '01:30',
    '03:00',
    '03:30',
  ]);
  const autumn = berlin('2031-10-26', '2031-10-26T00:00:00+02:00', '2031-10-27T00:00:00+01:00', 60);
  const [range] = [{ start: Date.parse(autumn.starts_at), end: Date.parse('2031-10-26T04:00:00+01:00') }];
  expect(bookingGrid(autumn, range).map(({ at, time }) => [time, (at - range.start) / 3_600_000])).toEqual([
    ['00:00', 0],
    ['01:00', 1],
    ['02:00', 2],
    ['03:00', 4],
  ]);
});

describe('what is free', () => {
  const free = (appointments: DayAppointment[], now = '00:00', step = 15, holds?: DayHold[]) =>
    freeTimes(
      { open: [stretch('09:00', '12:00')], appointments, holds },
      bookingGrid(monday(step), { start: at('08:00'), end: at('13:00') }),
      { now: at(now), stepMinutes: step },
    ).map(({ start, end, time }) => `${time}: ${(end - start) / 60_000}`);

  it('is cut into half hours at least, within the hours', () => {
    expect(free([])).toEqual(
      ['09:00', '09:30', '10:00', '10:30', '11:00', '11:30'].map((time) => `${time}: 30`),
    );
    expect(free([], '00:00', 45)).toEqual(['09:00: 45', '09:45: 45', '10:30: 45', '11:15: 45']);
  });

  it('ends at what is booked and begins after its buffer; what was cancelled takes nothing', () => {
    expect(free([booked('09:30', '10:30'), booked('11:00', '11:30', 'cancelled')])).toEqual([
      '09:00: 30',
      '10:45: 30',
      '11:15: 45',
    ]);
    expect(free([booked('09:15', '11:30')])).toEqual(['09:00: 15', '11:45: 15']);
  });

  it('is not what is held, nor the buffers of that', () => {
    const buffers = { buffer_before_minutes: 0, buffer_after_minutes: 15 };
    const held = { ...stretch('09:30', '10:30'), ...buffers } as DayHold;
    expect(free([], '00:00', 15, [held])).toEqual(['09:00: 30', '10:45: 30', '11:15: 45']);
  });

  it('lies ahead', () => {
    expect(free([], '11:20')).toEqual(['11:30: 30']);
    expect(free([], '12:00')).toEqual([]);
  });
});

it('a visit is outside somebody’s hours unless one stretch of work holds all of it', () => {
  const column = (staff_id: number, from: string, to: string, is_active = true) =>
    ({ staff_id, is_active, open: [stretch(from, to)] }) as DayColumn;
  const day = {
    ...monday(),
    columns: [column(1, '09:00', '12:00'), column(2, '12:00', '17:00'), column(3, '17:00', '20:00', false)],
  };
  const outside = (staffId: number | undefined, time: string) => isOutsideHours(day, staffId, time, 60);
  expect([outside(1, '09:00'), outside(1, '11:00'), outside(1, '11:30'), outside(1, '08:30')]).toEqual([
    ...[false, false, true, true],
  ]);
  expect([outside(undefined, '13:00'), outside(undefined, '18:00'), outside(3, '18:00')]).toEqual([
    ...[false, true, true],
  ]);
});
