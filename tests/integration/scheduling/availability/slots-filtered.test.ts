import { type Slot, WEEKDAYS } from '@frontdesk/contracts';
import { ALL_DAY, everyDay, MONDAY, openBusinessOf, openPractice, openSalon } from '../salon.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';

let world: SchedulingWorld;
beforeAll(async () => {
  world = await startScheduling();
});
afterAll(() => world.stop());

const mondayPlus = (days: number) => Temporal.PlainDate.from(MONDAY).add({ days }).toString();
const FORTNIGHT = { date_to: mondayPlus(13) };
const weekdayOf = ({ date }: Slot) => WEEKDAYS[Temporal.PlainDate.from(date).dayOfWeek - 1];

describe('GET /appointments/slots for a voice', () => {
  it('200: each filter leaves those slots of the whole list that it names, and all of them together too', async () => {
    const salon = await openSalon(world);
    await salon.book({ staff_id: salon.anna });
    await salon.book({ staff_id: salon.ben });
    const all: Slot[] = (await salon.slots(FORTNIGHT)).body.data;
    const listed = async (query: Record<string, string | number>) =>
      (await salon.slots({ ...FORTNIGHT, ...query })).body.data;

    const isAt = (from: string, to: string) => (slot: Slot) => from <= slot.time && slot.time < to;
    expect(await listed({ limit: 3 })).toEqual(all.slice(0, 3));
    expect(await listed({ from_time: '12:00' })).toEqual(all.filter(isAt('12:00', '24:00')));
    expect(await listed({ to_time: '12:00' })).toEqual(all.filter(isAt('00:00', '12:00')));
    expect(await listed({ from_time: '09:10', to_time: '09:31' })).toEqual(
      all.filter(isAt('09:10', '09:31')),
    );
    expect(await listed({ from_time: '00:00', to_time: '24:00' })).toEqual(all);
    const days = all.filter((slot) => ['tuesday', 'sunday'].includes(weekdayOf(slot) as string));
    expect(await listed({ weekdays: 'sunday,tuesday,sunday' })).toEqual(days);
    expect(await listed({ weekdays: WEEKDAYS.join(',') })).toEqual(all);
    const few = { weekdays: 'tuesday,sunday', from_time: '15:00', to_time: '15:30', limit: 3 };
    const fewSlots = days.filter(isAt('15:00', '15:30')).slice(0, 3);
    expect(await listed(few)).toEqual(fewSlots);
    expect(fewSlots).toHaveLength(3);
    expect(await listed({ ...few, staff_id: salon.ben })).toEqual(
      fewSlots.map((slot) => ({ ...slot, staff_id: salon.ben, staff_ids: [salon.ben] })),
    );
  });

  it('to_time is not a start itself: a slot begins before it, and may end after it', async () => {
    const salon = await openSalon(world);
    const { body } = await salon.slots({ from_time: '09:00', to_time: '09:15' });
    expect(body.data.map(({ time, end_time }: Slot) => [time, end_time])).toEqual([['09:00', '10:00']]);
  });

  it('on one date: its own weekday leaves all, another one none', async () => {
    const salon = await openSalon(world);
    const all = (await salon.slots()).body;
    expect((await salon.slots({ weekdays: 'monday' })).body).toEqual(all);
    const { status, body } = await salon.slots({ weekdays: 'tuesday' });
    expect([status, body]).toEqual([200, { success: true, data: [] }]);
    expect((await salon.slots({ date_to: mondayPlus(1), weekdays: 'friday' })).body.data).toEqual([]);
  });

  it('days and times of day are those of the business’s clocks, also where they change', async () => {
    const { slots } = await openPractice(
      world,
      world.newTenant({ timezone: 'Europe/Berlin' }),
      everyDay(ALL_DAY),
    );
    const starts = async (date: string) =>
      (await slots({ date, weekdays: 'sunday', from_time: '01:45', to_time: '03:15' })).body.data.map(
        ({ starts_at }: Slot) => starts_at.slice(11),
      );
    expect(await starts('2031-03-30')).toEqual(['01:45:00+01:00', '03:00:00+02:00']);
    expect(await starts('2031-10-26')).toEqual([
      ...['01:45:00+02:00', '02:00:00+02:00', '02:15:00+02:00', '02:30:00+02:00', '02:45:00+02:00'],
      ...['03:00:00+01:00'],
    ]);
  });

  it('a service or staff member that there is not is still 422', async () => {
    const salon = await openSalon(world);
    const filters = { limit: 1, weekdays: 'tuesday', from_time: '09:00' };
    for (const date_to of [MONDAY, mondayPlus(3)]) {
      expect((await salon.slots({ ...filters, date_to, service_id: 999_999_999 })).status).toBe(422);
      expect((await salon.slots({ ...filters, date_to, staff_id: 999_999_999 })).status).toBe(422);
    }
  });

  const LIMIT = { limit: ['The limit field must be an integer.'] };
  const TIME = (field: string) => ({ [field]: [`The ${field} field must be a time in the format H:i.`] });
  const DAYS = { weekdays: [expect.stringMatching(/only these names.*: monday, .*, sunday\.$/)] };
  const AFTER = { to_time: ['The to_time field must be after from_time.'] };
  it.each([
    ['limit=0', { limit: ['The limit field must be at least 1.'] }],
    ['limit=-1', { limit: ['The limit field must be at least 1.'] }],
    ['limit=101', { limit: ['The limit field must be at most 100.'] }],
    ['limit=', LIMIT],
    ['limit=3.0', LIMIT],
    ['limit=many', LIMIT],
    ['limit=1&limit=2', LIMIT],
    ['from_time=9:00', TIME('from_time')],
    ['from_time=24:00', TIME('from_time')],
    ['from_time=09:00:00', TIME('from_time')],
    ['to_time=00:00', { to_time: ['The to_time field must be after 00:00; the end of the day is 24:00.'] }],
    ['to_time=24:01', TIME('to_time')],
    ['to_time=', TIME('to_time')],
    ['from_time=12:00&to_time=11:00', AFTER],
    ['from_time=12:00&to_time=12:00', AFTER],
    ['weekdays=', DAYS],
    ['weekdays=Monday', DAYS],
    ['weekdays=mon', DAYS],
    ['weekdays=monday,', DAYS],
    ['weekdays=monday,%20friday', DAYS],
    ['weekdays=1', DAYS],
    ['weekdays=monday,funday', DAYS],
    ['weekdays=monday&weekdays=friday', DAYS],
  ])('422: %s', async (query, errors) => {
    const { tenantId, haircut } = await openSalon(world);
    const path = `/appointments/slots?date=${MONDAY}&service_id=${haircut}&${query}`;
    const { status, body } = await world.api(tenantId, 'GET', path);
    expect([status, body.code, body.errors]).toEqual([422, 'validation_failed', errors]);
  });

  it('too_much_asked counts the days and the starts that are looked for, and a limit not at all', async () => {
    const service = { name: 'Test', duration_minutes: 5, price: 0 };
    const staff = Array.from({ length: 60 }, (_, n) => ({
      name: `Member ${n}`,
      services: ['Test'],
      hours: everyDay([{ start: '09:00', end: '09:30' }]),
    }));
    const settings = { slot_step_minutes: 1 };
    const { slots } = await openBusinessOf(world, { settings, services: [service], staff });
    const month = { date_to: mondayPlus(30) };
    const asked = async (query: Record<string, string | number>) => {
      const { status, body } = await slots({ ...month, ...query });
      return status === 200 ? body.data.length : body.errors.date_to[0];
    };
    // 1,440 starts × 60 staff are 86,400 a day.
    const refused = (most: string) =>
      `The date_to field asks for too much: at most ${most} can be asked for at once for this service.`;
    expect(await asked({})).toBe(refused('1 day'));
    expect(await asked({ limit: 1 })).toBe(refused('1 day'));
    expect(await asked({ weekdays: 'monday' })).toBe(refused('1 day of these weekdays'));
    expect(await asked({ weekdays: 'monday', date_to: mondayPlus(6), limit: 2 })).toBe(2);
    expect(await asked({ from_time: '09:00', to_time: '09:10', limit: 100 })).toBe(100);
    expect(await asked({ from_time: '09:00', to_time: '11:00' })).toBe(refused('20 days'));
    expect(await asked({ from_time: '09:00', to_time: '11:00', weekdays: 'monday,friday' })).toBe(9 * 26);
  });
});
