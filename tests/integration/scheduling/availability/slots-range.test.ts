import type { Slot } from '@frontdesk/contracts';
import { sentStatements } from '../count-queries.ts';
import { everyDay, MONDAY, NINE_TO_FIVE, openBusinessOf, openSalon } from '../salon.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling();
});

afterAll(() => world.stop());

const mondayPlus = (days: number) => Temporal.PlainDate.from(MONDAY).add({ days }).toString();

describe('GET /appointments/slots with date_to', () => {
  it('200: the slots of each day, one after the other, 31 days at once', async () => {
    const salon = await openSalon(world);
    await salon.book({ staff_id: salon.anna, appointment_date: mondayPlus(3) });
    const days: Slot[][] = [];
    for (let day = 0; day < 31; day += 1) days.push((await salon.slots({ date: mondayPlus(day) })).body.data);
    const range = await salon.slots({ date_to: mondayPlus(30) });
    expect(range.body.data).toEqual(days.flat());
    expect(days.flat().length).toBeGreaterThan(31 * 20);
  });

  it('a single day where both dates are the same', async () => {
    const salon = await openSalon(world);
    const range = await salon.slots({ date_to: MONDAY });
    expect(range.body).toEqual((await salon.slots()).body);
  });

  it('422 too_much_asked, before any calendar is read, names the days that can be asked for; a single day always can be', async () => {
    const tenantId = world.newTenant();
    const { body } = await world.importBusiness(tenantId, {
      settings: { slot_step_minutes: 1 },
      services: [{ name: 'Cut', duration_minutes: 60, price: 10 }],
      staff: Array.from({ length: 100 }, (_, n) => ({ name: `S${n}`, services: ['Cut'], hours: {} })),
    });
    const query = `date=${MONDAY}&service_id=${body.data.services[0].id}`;
    const message =
      'The date_to field asks for too much: at most 1 day can be asked for at once for this service.';
    const sent = await sentStatements(async () => {
      const path = `/appointments/slots?${query}&date_to=${mondayPlus(1)}`;
      const { status, body: refused } = await world.api(tenantId, 'GET', path);
      expect([status, refused.code, refused.message]).toEqual([422, 'too_much_asked', message]);
      expect(refused.errors).toEqual({ date_to: [message] });
    });
    expect(sent).toEqual(['catalogue_find_without_calendars']);
    const ofOne = `&staff_id=${body.data.staff[0].id}&date_to=${mondayPlus(30)}`;
    for (const allowed of ['', `&date_to=${MONDAY}`, ofOne]) {
      const answer = await world.api(tenantId, 'GET', `/appointments/slots?${query}${allowed}`);
      expect([allowed, answer.status]).toEqual([allowed, 200]);
    }
  });

  it.each([
    [mondayPlus(-1), 'The date_to field must not be before date.'],
    [mondayPlus(31), 'The date_to field must be at most 30 days after date.'],
    ['2031-02-29', 'The date_to field must be a date that exists.'],
    ['soon', 'The date_to field must be a date in the format Y-m-d.'],
  ])('422: until %s', async (date_to, message) => {
    const salon = await openSalon(world);
    const { status, body } = await salon.slots({ date_to });
    expect([status, body.errors]).toEqual([422, { date_to: [message] }]);
  });
});

describe('hours that differ from the week', () => {
  const cut = { name: 'Cut', duration_minutes: 60, price: 10 };
  const hours = everyDay(NINE_TO_FIVE);
  const morning = [{ start: '09:00', end: '11:00' }];

  async function open(document: object) {
    const { staffIds, slots } = await openBusinessOf(world, {
      settings: { slot_step_minutes: 60 },
      services: [cut],
      ...document,
    });
    /** Who is offered at which hour. */
    const offered = async (date: string) => {
      const listed: Slot[] = (await slots({ date })).body.data;
      return Object.fromEntries(listed.map(({ time, staff_ids }) => [time, staff_ids]));
    };
    return { staffIds, offered };
  }

  it('of one staff member: other hours, none, a break, an absence of days', async () => {
    const away = { start: `${mondayPlus(2)}T10:00`, end: `${mondayPlus(4)}T00:00` };
    const { offered, staffIds } = await open({
      staff: [
        {
          name: 'Anna',
          services: ['Cut'],
          hours,
          breaks: everyDay([{ start: '10:00', end: '16:00' }]),
          exceptions: [
            { date: MONDAY, hours: [{ start: '20:00', end: '22:00' }] },
            { date: mondayPlus(1), hours: [] },
          ],
          time_off: [away],
        },
      ],
    });
    expect(await offered(MONDAY)).toEqual({ '20:00': staffIds, '21:00': staffIds });
    expect(await offered(mondayPlus(1))).toEqual({});
    expect(await offered(mondayPlus(2))).toEqual({ '09:00': staffIds });
    expect(await offered(mondayPlus(3))).toEqual({});
    expect(await offered(mondayPlus(4))).toEqual({ '09:00': staffIds, '16:00': staffIds });
  });

  it('of the whole business: everybody keeps them, but who has hours of their own that day', async () => {
    const { offered, staffIds } = await open({
      exceptions: [
        { date: MONDAY, hours: morning },
        { date: mondayPlus(1), hours: [] },
      ],
      time_off: [{ start: `${mondayPlus(2)}T11:00`, end: `${mondayPlus(3)}T00:00`, note: 'Works outing' }],
      staff: [
        { name: 'Anna', services: ['Cut'], hours },
        { name: 'Ben', services: ['Cut'], hours, exceptions: [{ date: mondayPlus(1), hours: morning }] },
      ],
    });
    const [anna, ben] = staffIds;
    expect(await offered(MONDAY)).toEqual({ '09:00': [anna, ben], '10:00': [anna, ben] });
    expect(await offered(mondayPlus(1))).toEqual({ '09:00': [ben], '10:00': [ben] });
    expect(await offered(mondayPlus(2))).toEqual({ '09:00': [anna, ben], '10:00': [anna, ben] });
    expect(Object.keys(await offered(mondayPlus(3)))).toHaveLength(8);
  });

  it('of a business without staff', async () => {
    const { offered } = await open({
      hours,
      exceptions: [{ date: MONDAY, hours: morning }],
      time_off: [{ start: `${MONDAY}T10:00`, end: `${mondayPlus(1)}T00:00` }],
    });
    expect(await offered(MONDAY)).toEqual({ '09:00': [] });
    expect(Object.keys(await offered(mondayPlus(1)))).toHaveLength(8);
  });
});
