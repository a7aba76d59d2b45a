import { asOperator } from '../as-operator.ts';
import { countQueries } from '../count-queries.ts';
import { everyDay, MONDAY, NINE_TO_FIVE, openBusinessOf, openSalon } from '../salon.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling();
});

afterAll(() => world.stop());

it('says what can’t be booked and why, of this business alone, and follows each cure', async () => {
  await openSalon(world);
  const send = asOperator(world, world.newTenant());
  const bookability = async () => (await send('GET', '/bookability')).body.data;
  const obstacles = async () => {
    const { obstacle, services, staff } = await bookability();
    return [obstacle, ...[...services, ...staff].map((entry: { obstacle: string | null }) => entry.obstacle)];
  };
  expect(await bookability()).toEqual({ obstacle: 'no_services', services: [], staff: [] });

  const service = { name: 'Haircut', duration_minutes: 60, price: 45.5 };
  const { id: haircut } = (await send('POST', '/services', service)).body.data;
  expect(await obstacles()).toEqual(['none_bookable', 'no_opening_hours']);
  await send('PUT', '/calendar/hours', { hours: { monday: [{ start: '09:00', end: '10:00' }] } });
  expect(await obstacles()).toEqual([null, null]);
  const { id: anna } = (await send('POST', '/staff', { name: 'Anna' })).body.data;
  expect(await obstacles()).toEqual(['none_bookable', 'nobody_performs', 'no_services']);
  await send('PATCH', `/staff/${anna}`, { service_ids: [haircut] });
  expect(await bookability()).toEqual({
    obstacle: null,
    services: [{ id: haircut, name: 'Haircut', obstacle: null, staff_ids: [anna] }],
    staff: [{ id: anna, name: 'Anna', obstacle: null }],
  });
  await send('PATCH', `/services/${haircut}`, { duration_minutes: 61 });
  expect(await obstacles()).toEqual(['none_bookable', 'too_long', 'hours_too_short']);
  // A single date, far ahead, is enough.
  const inHalfAYear = Temporal.Now.plainDateISO().add({ months: 6 });
  await send('PUT', `/calendar/exceptions/${inHalfAYear}`, { hours: NINE_TO_FIVE });
  expect(await obstacles()).toEqual([null, null, null]);
  await send('PUT', `/staff/${anna}/calendar/hours`, { hours: {} });
  expect(await obstacles()).toEqual(['none_bookable', 'no_hours', 'no_hours']);
});

it('reads no more for many staff than for few, and no year of dates where a week says all', async () => {
  const businessOf = async (staffCount: number) => {
    const { tenantId } = await openBusinessOf(world, {
      services: [{ name: 'Cut', duration_minutes: 60, price: 10 }],
      staff: Array.from({ length: staffCount }, (_, index) => ({
        name: `Staff ${index}`,
        services: ['Cut'],
        hours: everyDay(NINE_TO_FIVE),
      })),
    });
    const send = asOperator(world, tenantId);
    return () => send('GET', '/bookability');
  };
  const [small, large] = [await businessOf(1), await businessOf(20)];
  expect(await countQueries(large)).toBe(await countQueries(small));
  expect(await countQueries(small)).toBeLessThanOrEqual(4);
});

describe('GET …/calendar/conflicts', () => {
  async function bookedSalon() {
    const salon = await openSalon(world);
    const send = asOperator(world, salon.tenantId);
    const bookedAt = async (staffId: number, time: string): Promise<number> =>
      (await salon.book({ staff_id: staffId, appointment_time: time })).body.data.id;
    const [annas, bens] = [await bookedAt(salon.anna, '10:00'), await bookedAt(salon.ben, '12:00')];
    const conflicts = async (path: string) => {
      const { count, appointments } = (await send('GET', `${path}/calendar/conflicts`)).body.data;
      expect(count).toBe(appointments.length);
      return appointments.map((one: { id: number; is_time_off: boolean }) => [one.id, one.is_time_off]);
    };
    return { ...salon, send, annas, bens, conflicts, ofAnna: () => conflicts(`/staff/${salon.anna}`) };
  }

  it('names the appointments that time off, a date or weekly hours leave outside, until these fit again', async () => {
    const { send, anna, annas, ofAnna } = await bookedSalon();
    const path = `/staff/${anna}/calendar`;
    expect(await ofAnna()).toEqual([]);
    const away = { start: `${MONDAY}T10:30`, end: `${MONDAY}T12:00` };
    const { id } = (await send('POST', `${path}/time-off`, away)).body.data;
    expect(await ofAnna()).toEqual([[annas, true]]);
    await send('DELETE', `${path}/time-off/${id}`);
    expect(await ofAnna()).toEqual([]);
    await send('PUT', `${path}/exceptions/${MONDAY}`, { hours: [{ start: '10:15', end: '17:00' }] });
    expect(await ofAnna()).toEqual([[annas, false]]);
    await send('DELETE', `${path}/exceptions/${MONDAY}`);
    await send('PUT', `${path}/hours`, { hours: { tuesday: NINE_TO_FIVE } });
    expect(await ofAnna()).toEqual([[annas, false]]);
    const { body } = await send('GET', `${path}/conflicts`);
    expect(body.data).toMatchObject({
      is_complete: true,
      appointments: [{ service_name: 'Haircut', staff_name: 'Anna', customer_id: expect.any(Number) }],
    });
  });

  it('of the business names everybody’s: a closing, and opening hours that some follow', async () => {
    const { send, ben, annas, bens, conflicts } = await bookedSalon();
    await send('PUT', '/calendar/hours', { hours: everyDay([{ start: '09:00', end: '12:30' }]) });
    expect(await conflicts('')).toEqual([]);
    await send('PATCH', `/staff/${ben}`, { follows_business_hours: true });
    expect(await conflicts('')).toEqual([[bens, false]]);
    await send('POST', '/calendar/time-off', { start: `${MONDAY}T00:00`, end: `${MONDAY}T11:00` });
    expect(await conflicts('')).toEqual([
      [annas, true],
      [bens, false],
    ]);
  });

  it('leaves out cancelled appointments and inactive staff', async () => {
    const { send, anna, ben, annas, tenantId, conflicts } = await bookedSalon();
    await send('POST', '/calendar/time-off', { start: `${MONDAY}T00:00`, end: `${MONDAY}T23:00` });
    expect(await conflicts('')).toHaveLength(2);
    await world.api(tenantId, 'DELETE', `/appointments/${annas}`);
    await send('PATCH', `/staff/${ben}`, { is_active: false });
    expect(await conflicts('')).toEqual([]);
    expect(await conflicts(`/staff/${anna}`)).toEqual([]);
  });
});
