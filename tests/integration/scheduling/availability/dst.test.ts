import type { Slot } from '@frontdesk/contracts';
import { ALL_DAY, changeSettings, everyDay, openPractice } from '../salon.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';
import { hhmm } from '../wall-clock.ts';
import { CHANGES, type ClockChange, QUARTERS } from './clock-changes.ts';

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling();
});

afterEach(() => jest.restoreAllMocks());
afterAll(() => world.stop());

/** A business that never closes, on the day before the change: what lies behind us by now is yet to come. */
async function openBefore(
  { timezone, date }: ClockChange,
  settings: object,
  hours: object = everyDay(ALL_DAY),
) {
  const practice = await openPractice(world, world.newTenant({ timezone }), hours);
  await changeSettings(world, practice.tenantId, settings);
  const dayBefore = Temporal.PlainDate.from(date).subtract({ days: 1 });
  jest.spyOn(Date, 'now').mockReturnValue(dayBefore.toZonedDateTime(timezone).epochMilliseconds);
  const slots = async (on = date): Promise<Slot[]> => {
    const { status, body } = await practice.slots({ date: on });
    expect(status).toBe(200);
    return body.data;
  };
  return { ...practice, slots };
}

const named = CHANGES.map((change) => [`${change.timezone}, ${change.date}`, change] as const);

describe.each(named)('%s', (_name, change) => {
  const { timezone, date, skipped, repeated, firstOffset, visit } = change;
  const visitDate = change.visitDate ?? date;

  it('offers every wall time that there is, once, on its first pass', async () => {
    const { slots } = await openBefore(change, { slot_step_minutes: 15 });
    const listed = await slots();
    expect(listed.map(({ time }) => time)).toEqual(QUARTERS.filter((time) => !skipped.includes(time)));
    const offsets = repeated.map((time) => listed.find((slot) => slot.time === time)?.starts_at.slice(-6));
    expect(offsets).toEqual(repeated.map(() => firstOffset));
    for (const { time, starts_at, ends_at } of listed) {
      expect(starts_at.slice(0, 16)).toBe(`${date}T${time}`);
      expect(Date.parse(ends_at) - Date.parse(starts_at)).toBe(3_600_000);
    }
  });

  it.each(['open', 'slots_only'])(
    'what is offered books at the instant that was offered: %s',
    async (policy) => {
      const practice = await openBefore(change, { slot_step_minutes: 15, booking_policy: policy });
      const listed = await practice.slots();
      for (const { date: appointment_date, time, ...slot } of listed.slice(0, 24)) {
        const { status, body } = await practice.book({ appointment_date, appointment_time: time });
        expect(status).toBe(201);
        expect(body.data).toMatchObject({
          starts_at: slot.starts_at,
          ends_at: slot.ends_at,
          end_time: slot.end_time,
        });
        await practice.cancel(body.data.id);
      }
    },
  );

  it('422 for a wall time that is skipped, booking and moving, whatever the policy', async () => {
    for (const booking_policy of ['open', 'slots_only']) {
      const practice = await openBefore(change, { booking_policy });
      const { id } = (await practice.book({ appointment_date: visitDate, appointment_time: visit[0] })).body
        .data;
      for (const appointment_time of skipped.slice(0, 4)) {
        const wish = { appointment_date: date, appointment_time };
        for (const { status, body } of [await practice.book(wish), await practice.change(id, wish)]) {
          expect(status).toBe(422);
          expect(body.errors).toEqual({
            appointment_time: [`The appointment_time field does not exist on this date in ${timezone}.`],
          });
        }
      }
    }
  });

  it('an hour across it is an hour: its end and its offsets are those of the clocks', async () => {
    const practice = await openBefore(change, {});
    const [appointment_time, starts_at, ends_at] = visit;
    const { body } = await practice.book({ appointment_date: visitDate, appointment_time });
    expect(body.data).toMatchObject({
      appointment_date: visitDate,
      appointment_time,
      starts_at,
      ends_at,
      end_time: ends_at.slice(11, 16),
      duration_minutes: 60,
    });
    expect(Date.parse(ends_at) - Date.parse(starts_at)).toBe(3_600_000);
    const slot = await world.api(practice.tenantId, 'GET', `/appointments/${body.data.id}`);
    expect(slot.body.data).toEqual(body.data);
    const listed = await world.api(practice.tenantId, 'GET', `/appointments?date=${visitDate}`);
    expect(listed.body.data).toEqual([body.data]);
  });

  it('starts lie on the grid from local midnight, also where midnight itself is skipped', async () => {
    const { slots } = await openBefore(change, { slot_step_minutes: 50 });
    const grid = Array.from({ length: 29 }, (_, index) => hhmm(index * 50));
    const gap = [skipped[0] ?? '', skipped.at(-1) ?? ''] as const;
    const isSkipped = (time: string) =>
      skipped.length > 0 && time >= gap[0] && time < hhmm(minutesOf(gap[1]) + 15);
    expect((await slots()).map(({ time }) => time)).toEqual(grid.filter((time) => !isSkipped(time)));
  });
});

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

describe('hours that begin or end where clocks change', () => {
  const forward = CHANGES[0] as ClockChange;
  const backward = CHANGES[1] as ClockChange;
  const timesIn = async (change: ClockChange, start: string, end: string) => {
    const practice = await openBefore(change, { slot_step_minutes: 30 }, everyDay([{ start, end }]));
    return (await practice.slots()).map(({ time, starts_at }) => `${time} ${starts_at.slice(-6)}`);
  };

  it('from a skipped time on means from the change on; until one, until the change', async () => {
    expect(await timesIn(forward, '02:30', '05:00')).toEqual([
      '03:00 +02:00',
      '03:30 +02:00',
      '04:00 +02:00',
    ]);
    expect(await timesIn(forward, '00:00', '02:30')).toEqual([
      '00:00 +01:00',
      '00:30 +01:00',
      '01:00 +01:00',
    ]);
  });

  it('a repeated time means the first, at both ends of the hours', async () => {
    expect(await timesIn(backward, '02:30', '03:30')).toEqual(['02:30 +02:00']);
    expect(await timesIn(backward, '01:00', '02:30')).toEqual(['01:00 +02:00', '01:30 +02:00']);
  });
});

describe('an appointment in the first pass of a repeated hour', () => {
  it('blocks that hour and not the second, which begins when it ends', async () => {
    const practice = await openBefore(CHANGES[1] as ClockChange, { slot_step_minutes: 60 });
    const book = (appointment_time: string) =>
      practice.book({ appointment_date: '2031-10-26', appointment_time });
    expect((await book('02:00')).body.data.ends_at).toBe('2031-10-26T02:00:00+01:00');
    expect((await book('02:00')).status).toBe(409);
    // An hour after the first 02:00 the second begins; 03:00 is another hour later.
    expect((await book('03:00')).body.data.starts_at).toBe('2031-10-26T03:00:00+01:00');
    expect((await practice.slots()).map(({ time }) => time)).not.toContain('02:00');
  });
});
