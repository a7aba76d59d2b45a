import type { Slot } from '@frontdesk/contracts';
import { ALL_DAY, changeSettings, everyDay, MONDAY, openPractice, openSalon } from '../salon.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling();
});

afterAll(() => world.stop());

async function slotsOf(
  { slots }: Pick<Awaited<ReturnType<typeof openSalon>>, 'slots'>,
  query: Parameters<typeof slots>[0] = {},
): Promise<Slot[]> {
  const { status, body } = await slots(query);
  expect([status, body.success]).toEqual([200, true]);
  return body.data;
}

const times = (slots: Slot[]) => slots.map(({ time }) => time);

describe('GET /appointments/slots', () => {
  it('200: one row a start, every quarter of an hour, with all who are free', async () => {
    const salon = await openSalon(world);
    const slots = await slotsOf(salon);
    expect(slots).toHaveLength(29);
    expect(slots[0]).toEqual({
      date: MONDAY,
      time: '09:00',
      end_time: '10:00',
      starts_at: '2031-06-02T09:00:00+02:00',
      ends_at: '2031-06-02T10:00:00+02:00',
      staff_id: salon.anna,
      staff_ids: [salon.anna, salon.ben],
    });
    expect(slots.at(-1)?.time).toBe('16:00');
  });

  it('leaves out who is busy or does not perform the service', async () => {
    const salon = await openSalon(world);
    await salon.book({ staff_id: salon.anna });
    const haircuts = await slotsOf(salon);
    expect(haircuts.find(({ time }) => time === '10:30')?.staff_ids).toEqual([salon.ben]);
    const trims = await slotsOf(salon, { service_id: salon.beardTrim });
    expect(times(trims)).toContain('09:30');
    expect(times(trims)).not.toContain('09:45');
    for (const { staff_ids } of trims) expect(staff_ids).toEqual([salon.anna]);
  });

  it('every listed slot books, with whom it names; every start that is not listed of a full day does not', async () => {
    const salon = await openSalon(world);
    await salon.book({ staff_id: salon.anna, appointment_time: '11:10' });
    await salon.book({ staff_id: salon.ben, appointment_time: '13:50' });
    for (let slots = await slotsOf(salon); slots.length > 0; ) {
      const { date, time, staff_id } = slots[Math.floor(slots.length / 2)] as Slot;
      const answer = await salon.book({ appointment_date: date, appointment_time: time, staff_id });
      expect(answer.status).toBe(201);
      slots = await slotsOf(salon);
    }
    const grid = Array.from({ length: 29 }, (_, index) => 36 + index).map(
      (quarter) =>
        `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${['00', '15', '30', '45'][quarter % 4]}`,
    );
    for (const appointment_time of grid) expect((await salon.book({ appointment_time })).status).toBe(409);
  });

  it('offers nothing in the past, within the notice, beyond the horizon or on a day off', async () => {
    const salon = await openSalon(world);
    const on = (date: string) => slotsOf(salon, { date });
    expect(await on('2020-06-01')).toEqual([]);
    const inDays = (days: number) => Temporal.Now.plainDateISO('Europe/Berlin').add({ days }).toString();
    expect(await on(inDays(3))).not.toEqual([]);
    await changeSettings(world, salon.tenantId, { minimum_notice_minutes: 2_880, horizon_days: 10 });
    expect(await on(inDays(1))).toEqual([]);
    expect(await on(inDays(3))).not.toEqual([]);
    expect(await on(inDays(12))).toEqual([]);
  });

  it('follows the step of the business', async () => {
    const salon = await openSalon(world);
    await changeSettings(world, salon.tenantId, { slot_step_minutes: 60 });
    const slots = await slotsOf(salon, { staff_id: salon.ben });
    expect(times(slots)).toEqual(['09:00', '10:00', '11:00', '12:00', '13:00', '14:00', '15:00', '16:00']);
  });

  it.each([
    ['spring, forward', '2031-03-30', ['01:30', '03:00', '03:30'], 46, ['02:00', '02:30']],
    ['autumn, backward', '2031-10-26', ['01:30', '02:00', '02:30', '03:00'], 48, []],
  ])('on the day of a clock change (%s) every slot books', async (_name, date, present, count, absent) => {
    const practice = await openPractice(world, world.newTenant(), everyDay(ALL_DAY));
    await changeSettings(world, practice.tenantId, { slot_step_minutes: 30 });
    const slots = await slotsOf(practice, { date });
    expect(times(slots)).toEqual(expect.arrayContaining(present));
    for (const time of absent) expect(times(slots)).not.toContain(time);
    expect(slots).toHaveLength(count);
    const answers = await Promise.all(
      slots
        .filter((_, index) => index % 2 === 0)
        .map(
          async (slot) =>
            [
              slot,
              await practice.book({ appointment_date: slot.date, appointment_time: slot.time }),
            ] as const,
        ),
    );
    for (const [slot, { status, body }] of answers) {
      expect(status).toBe(201);
      expect([body.data.starts_at, body.data.ends_at]).toEqual([slot.starts_at, slot.ends_at]);
    }
  });

  it('a visit may run past midnight where the hours go on', async () => {
    const practice = await openPractice(world, world.newTenant(), everyDay(ALL_DAY));
    const slots = await slotsOf(practice);
    expect(slots.at(-1)).toMatchObject({
      time: '23:45',
      end_time: '00:45',
      ends_at: '2031-06-03T00:45:00+02:00',
    });
    const { body } = await practice.book({ appointment_time: '23:45' });
    expect(body.data.end_time).toBe('00:45');
    const next = await slotsOf(practice, { date: '2031-06-03' });
    expect(next[0]?.time).toBe('00:45');
  });

  it('without staff: staff_id null, staff_ids empty', async () => {
    const practice = await openPractice(world);
    await practice.book();
    const slots = await slotsOf(practice);
    expect(slots[0]).toMatchObject({ time: '09:00', staff_id: null, staff_ids: [] });
    expect(times(slots)).not.toContain('10:30');
  });

  it('422 on what is missing, malformed or unknown', async () => {
    const salon = await openSalon(world);
    const errorsOf = async (query: Parameters<typeof salon.slots>[0]) => {
      const { status, body } = await salon.slots(query);
      expect(status).toBe(422);
      return body.errors;
    };
    expect(await errorsOf({ date: undefined, service_id: undefined })).toEqual({
      date: ['The date field is required.'],
      service_id: ['The service_id field is required.'],
    });
    expect(await errorsOf({ date: 'tomorrow' })).toEqual({
      date: ['The date field must be a date in the format Y-m-d.'],
    });
    expect(await errorsOf({ service_id: 'abc' })).toEqual({
      service_id: ['The service_id field must be an integer.'],
    });
    expect(await errorsOf({ service_id: 999_999, staff_id: 999_999 })).toEqual({
      service_id: ['The selected service_id is invalid.'],
      staff_id: ['The selected staff_id is invalid.'],
    });
    expect(await errorsOf({ service_id: salon.beardTrim, staff_id: salon.ben })).toEqual({
      staff_id: ['The selected staff_id does not perform this service.'],
    });
  });
});
