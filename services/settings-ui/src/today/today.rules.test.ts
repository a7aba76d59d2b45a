import type { Day, DayAppointment } from '@frontdesk/contracts';
import { agendaOf, stateAt } from './today.rules.ts';

const DATE = '2031-06-02';
const at = (time: string) => `${DATE}T${time}:00Z`;
const NOON = Date.parse(at('12:00'));

const appointment = (
  id: number,
  [from, until]: [string, string],
  status: DayAppointment['status'] = 'scheduled',
) => ({ id, status, starts_at: at(from), ends_at: at(until) }) as DayAppointment;

const dayOf = (...columns: DayAppointment[][]) =>
  ({
    date: DATE,
    timezone: 'UTC',
    starts_at: at('00:00'),
    ends_at: '2031-06-03T00:00:00Z',
    columns: columns.map((appointments) => ({ appointments })),
  }) as unknown as Day;

const idsOf = (appointments: DayAppointment[]) => appointments.map(({ id }) => id);

it('lists everybody’s appointments by time, those to come apart from those that are over or marked', () => {
  const { coming, earlier, unmarked } = agendaOf(
    dayOf(
      [
        appointment(1, ['09:00', '10:00']),
        appointment(2, ['11:30', '12:30']),
        appointment(3, ['15:00', '16:00'], 'cancelled'),
      ],
      [
        appointment(4, ['08:00', '09:00'], 'completed'),
        appointment(5, ['11:00', '11:30']),
        appointment(6, ['14:00', '15:00'], 'no_show'),
        appointment(7, ['13:00', '14:00']),
      ],
    ),
    NOON,
  );
  // The fifth has just ended: it waits for its mark where people look.
  expect([idsOf(coming), idsOf(earlier), unmarked]).toEqual([[5, 2, 7], [4, 1, 6], 1]);
});

it('an appointment that nobody has marked is among the earlier ones an hour after its end', () => {
  const day = dayOf([appointment(1, ['10:00', '11:00'])]);
  expect(idsOf(agendaOf(day, NOON - 1).coming)).toEqual([1]);
  expect(agendaOf(day, NOON)).toMatchObject({ coming: [], unmarked: 1 });
});

it('leaves out what only touches the day with its buffers', () => {
  const before = { ...appointment(1, ['00:00', '00:00']), starts_at: '2031-06-01T23:00:00Z' };
  expect(agendaOf(dayOf([before]), NOON)).toEqual({ coming: [], earlier: [], unmarked: 0 });
});

it.each([
  ['12:30', '13:00', 'scheduled', 'to_come'],
  ['12:00', '13:00', 'scheduled', 'now'],
  ['11:00', '12:00', 'scheduled', 'unmarked'],
  ['11:00', '13:00', 'completed', 'completed'],
  ['13:00', '14:00', 'no_show', 'no_show'],
] as const)('from %s to %s, %s: at noon it is %s', (from, until, status, state) => {
  expect(stateAt(appointment(1, [from, until], status), NOON)).toBe(state);
});

it('an arrived customer stays “arrived” until the appointment ends', () => {
  for (const span of [
    ['12:30', '13:00'],
    ['11:00', '12:00'],
  ] as const)
    expect(stateAt({ ...appointment(1, [...span]), arrived_at: at('11:50') }, NOON)).toBe('arrived');
  const completed = appointment(1, ['11:00', '12:00'], 'completed');
  expect(stateAt({ ...completed, arrived_at: at('11:50') }, NOON)).toBe('completed');
});
