import { everyDay, MONDAY, NINE_TO_FIVE, openSalon } from '../salon.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';

let world: SchedulingWorld;
beforeAll(async () => {
  world = await startScheduling();
});
afterAll(() => world.stop());
const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id);

describe('GET /staff', () => {
  afterEach(() => jest.restoreAllMocks());

  const tomorrow = () => Temporal.Now.plainDateISO('Europe/Berlin').add({ days: 1 });

  it('200: who works here, and when each is next free for the shortest service they perform', async () => {
    const salon = await openSalon(world);
    const next = tomorrow().toString();
    // Whatever is left of today is no longer free.
    await world.sql(
      salon.tenantId,
      'update booking_settings set minimum_notice_minutes = 1440 where tenant_id = $tenantId',
    );
    const { body: before } = await world.api(salon.tenantId, 'GET', '/staff');
    expect(before.data.map(({ id }: { id: number }) => id)).toEqual([salon.anna, salon.ben]);
    expect(before.data[0]).toEqual({
      id: salon.anna,
      name: 'Anna',
      specialties: ['colour'],
      timezone: 'Europe/Berlin',
      next_available_slot: {
        date: expect.any(String),
        time: expect.any(String),
        starts_at: expect.any(String),
      },
    });
    expect(before.data[0].next_available_slot.date >= next).toBe(true);
  });

  it('the next slot is the first that the slots list, and it books', async () => {
    // No slot begins between two answers.
    jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    const salon = await openSalon(world);
    const { body } = await world.api(salon.tenantId, 'GET', '/staff');
    const { next_available_slot: slot } = body.data[1];
    const listed = await salon.slots({ date: slot.date, staff_id: salon.ben });
    expect(listed.body.data[0]).toMatchObject(slot);
    const booked = await salon.book({
      staff_id: salon.ben,
      appointment_date: slot.date,
      appointment_time: slot.time,
    });
    expect(booked.status).toBe(201);
    const after = await world.api(salon.tenantId, 'GET', '/staff');
    expect(after.body.data[1].next_available_slot.starts_at > slot.starts_at).toBe(true);
  });

  it('the next slot is null for staff who perform nothing or never work, and lies beyond days that are full', async () => {
    const tenantId = world.newTenant();
    const { body } = await world.importBusiness(tenantId, {
      services: [{ name: 'Day', duration_minutes: 480, price: 10 }],
      staff: [
        { name: 'Nothing', services: [], hours: everyDay(NINE_TO_FIVE) },
        { name: 'Never', services: ['Day'], hours: {} },
        { name: 'Busy', services: ['Day'], hours: everyDay(NINE_TO_FIVE) },
      ],
    });
    const customer_id = world.newCustomer(tenantId);
    const first = tomorrow();
    const dates = Array.from({ length: 7 }, (_, days) => first.add({ days: days - 1 }).toString());
    for (const appointment_date of dates)
      await world.api(tenantId, 'POST', '/appointments', {
        customer_id,
        service_id: body.data.services[0].id,
        staff_id: body.data.staff[2].id,
        appointment_date,
        appointment_time: '09:00',
      });
    const { body: listed } = await world.api(tenantId, 'GET', '/staff');
    const slots = listed.data.map(
      ({ next_available_slot }: { next_available_slot: { date: string } | null }) =>
        next_available_slot?.date,
    );
    expect(slots).toEqual([undefined, undefined, first.add({ days: 6 }).toString()]);
  });

  it('single view: hours of each weekday, and upcoming appointments of exactly date and time', async () => {
    const salon = await openSalon(world);
    await salon.book({ staff_id: salon.anna, appointment_time: '14:00' });
    await salon.book({ staff_id: salon.anna, appointment_time: '10:00' });
    const cancelled = await salon.book({ staff_id: salon.anna, appointment_time: '12:00' });
    await salon.cancel(cancelled.body.data.id);
    await salon.book({ staff_id: salon.anna, appointment_date: '2020-01-06' });
    const { status, body } = await world.api(salon.tenantId, 'GET', `/staff/${salon.anna}`);
    expect(status).toBe(200);
    expect(body.data.working_hours).toEqual(everyDay(NINE_TO_FIVE));
    expect(body.data.upcoming_appointments).toEqual([
      { date: MONDAY, time: '10:00' },
      { date: MONDAY, time: '14:00' },
    ]);
  });

  it('its ETag changes with whatever the single view says', async () => {
    // No slot begins between two answers.
    jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    const salon = await openSalon(world);
    const etag = async () => (await world.api(salon.tenantId, 'GET', `/staff/${salon.anna}`)).headers.etag;
    const before = await etag();
    expect(before).toMatch(/^"[\w-]+"$/);
    expect(await etag()).toBe(before);
    await salon.book({ staff_id: salon.anna });
    expect(await etag()).not.toBe(before);
  });

  it('404 for a staff member who is inactive; the list leaves them out', async () => {
    const salon = await openSalon(world);
    await world.sql(
      salon.tenantId,
      `update staff set is_active = false where tenant_id = $tenantId and name = 'Ben'`,
    );
    expect((await world.api(salon.tenantId, 'GET', `/staff/${salon.ben}`)).status).toBe(404);
    expect(idsOf((await world.api(salon.tenantId, 'GET', '/staff')).body.data)).toEqual([salon.anna]);
  });
});

describe('GET /services', () => {
  it('200: the active ones with price and currency; single view the same', async () => {
    const salon = await openSalon(world);
    const { body } = await world.api(salon.tenantId, 'GET', '/services');
    expect(body.data).toContainEqual({
      id: salon.haircut,
      name: 'Haircut',
      description: null,
      duration_minutes: 60,
      price: 45.5,
      currency: 'EUR',
    });
    expect(Object.keys(body)).toEqual(['success', 'data']);
    const one = await world.api(salon.tenantId, 'GET', `/services/${salon.haircut}`);
    expect(one.headers.etag).toBe('"1"');
    expect(body.data).toContainEqual(one.body.data);

    await world.sql(
      salon.tenantId,
      `update services set is_active = false where tenant_id = $tenantId and name = 'Haircut'`,
    );
    expect(idsOf((await world.api(salon.tenantId, 'GET', '/services')).body.data)).toEqual([salon.beardTrim]);
    const gone = await world.api(salon.tenantId, 'GET', `/services/${salon.haircut}`);
    expect([gone.status, gone.body.message]).toEqual([404, 'Service not found.']);
  });

  it.each([
    ['JPY', 4_500],
    ['KWD', 4.575],
  ])('prices in %s keep its decimal places', async (currency, price) => {
    const tenantId = world.newTenant({ currency });
    await world.importBusiness(tenantId, { services: [{ name: 'Cut', duration_minutes: 30, price }] });
    const { body } = await world.api(tenantId, 'GET', '/services');
    expect(body.data[0]).toMatchObject({ price, currency });
  });
});
