import { atOnce, withStatus } from '../answers.ts';
import { salonToRun } from '../as-operator.ts';
import { changeSettings, MONDAY, openPractice, openSalon } from '../salon.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling();
});

afterAll(() => world.stop());

describe('POST /appointments', () => {
  it('201: the whole record, scheduled, with the terms of its service copied', async () => {
    const salon = await openSalon(world);
    const { status, headers, body } = await salon.book({ staff_id: salon.anna, notes: 'Window seat' });
    expect(status).toBe(201);
    expect(headers.etag).toBe('"1"');
    expect(headers.location).toBe(`/api/v1/appointments/${body.data.id}`);
    expect(body).toEqual({
      success: true,
      data: {
        id: expect.any(Number),
        customer_id: salon.customer,
        service_id: salon.haircut,
        staff_id: salon.anna,
        appointment_date: MONDAY,
        appointment_time: '10:00',
        end_time: '11:00',
        duration_minutes: 60,
        timezone: 'Europe/Berlin',
        starts_at: '2031-06-02T10:00:00+02:00',
        ends_at: '2031-06-02T11:00:00+02:00',
        status: 'scheduled',
        notes: 'Window seat',
        source: 'api',
        price: 45.5,
        currency: 'EUR',
        created_at: expect.stringMatching(/Z$/),
        updated_at: body.data.created_at,
        cancelled_at: null,
      },
    });
  });

  it('its Location is where the one who booked it reads it, on the internal port too', async () => {
    const { send, customer, haircut } = await salonToRun(world);
    const booked = await send('POST', '/appointments', {
      customer_id: customer,
      service_id: haircut,
      appointment_date: MONDAY,
      appointment_time: '10:00',
    });
    const { id } = booked.body.data;
    expect(booked.headers.location).toMatch(new RegExp(`^/internal/tenants/\\d+/appointments/${id}$`));
    expect((await send('GET', `/appointments/${id}`)).body.data.id).toBe(id);
  });

  it('records one event, appointment.created, with that record', async () => {
    const salon = await openSalon(world);
    const { body } = await salon.book();
    expect(await world.events(salon.tenantId)).toEqual([
      expect.objectContaining({
        type: 'appointment.created',
        tenant_id: salon.tenantId,
        aggregate_id: body.data.id,
        aggregate_version: 1,
        data: body.data,
      }),
    ]);
  });

  it('without a staff_id, takes the staff member with the fewest appointments that day', async () => {
    const salon = await openSalon(world);
    await salon.book({ staff_id: salon.anna, appointment_time: '15:00' });
    expect((await salon.book()).body.data.staff_id).toBe(salon.ben);
  });

  it('books next to another appointment, to the minute', async () => {
    const salon = await openSalon(world);
    await salon.book({ staff_id: salon.anna });
    expect((await salon.book({ staff_id: salon.anna, appointment_time: '11:00' })).status).toBe(201);
    expect((await salon.book({ staff_id: salon.anna, appointment_time: '09:00' })).status).toBe(201);
  });

  it('buffers block on both sides', async () => {
    const salon = await openSalon(world);
    await world.sql(
      salon.tenantId,
      'update services set buffer_before_minutes = 10, buffer_after_minutes = 5 where tenant_id = $tenantId',
    );
    await salon.book({ staff_id: salon.anna });
    const at = async (appointment_time: string) =>
      (await salon.book({ staff_id: salon.anna, appointment_time })).status;
    expect(await at('11:14')).toBe(409);
    expect(await at('08:46')).toBe(409);
    expect(await at('11:15')).toBe(201);
    expect(await at('08:45')).toBe(201);
  });

  it('open policy: outside the hours and in the past, but staff at work come first', async () => {
    const tenantId = world.newTenant();
    const early = { monday: [{ start: '06:00', end: '08:00' }] };
    const { body } = await world.importBusiness(tenantId, {
      services: [{ name: 'Haircut', duration_minutes: 30, price: 10 }],
      staff: [
        { name: 'Off', services: ['Haircut'], hours: {} },
        { name: 'On', services: ['Haircut'], hours: early },
      ],
    });
    const [off, on] = body.data.staff.map(({ id }: { id: number }) => id);
    const customer_id = world.newCustomer(tenantId);
    const book = (appointment_date: string, appointment_time: string) =>
      world.api(tenantId, 'POST', '/appointments', {
        customer_id,
        service_id: body.data.services[0].id,
        appointment_date,
        appointment_time,
      });
    expect((await book(MONDAY, '07:00')).body.data.staff_id).toBe(on);
    expect((await book(MONDAY, '07:00')).body.data.staff_id).toBe(off);
    expect((await book(MONDAY, '07:00')).status).toBe(409);
    expect((await book('2001-01-01', '03:17')).status).toBe(201);
  });

  it('422 for what is not offered, 409 for what is taken, under slots_only', async () => {
    const salon = await openSalon(world);
    await changeSettings(world, salon.tenantId, { booking_policy: 'slots_only' });
    expect((await salon.book({ appointment_time: '10:00' })).status).toBe(201);
    for (const fields of [
      { appointment_time: '10:07' },
      { appointment_time: '16:30' },
      { appointment_date: '2001-01-01' },
    ]) {
      const { status, body } = await salon.book(fields);
      expect(status).toBe(422);
      expect(body.errors).toEqual({
        appointment_time: ['The appointment_time field must be one of the offered slots.'],
      });
    }
    await salon.book({ appointment_time: '10:00' });
    expect((await salon.book({ appointment_time: '10:00' })).status).toBe(409);
  });

  it('409 without alternatives where nobody performs the service', async () => {
    const tenantId = world.newTenant();
    const { body } = await world.importBusiness(tenantId, {
      services: [{ name: 'Haircut', duration_minutes: 30, price: 10 }],
      staff: [{ name: 'Anna', services: [], hours: {} }],
    });
    const answer = await world.api(tenantId, 'POST', '/appointments', {
      customer_id: world.newCustomer(tenantId),
      service_id: body.data.services[0].id,
      appointment_date: MONDAY,
      appointment_time: '10:00',
    });
    expect(answer.status).toBe(409);
    expect(answer.body.data).toEqual({ alternatives: [] });
  });
});

describe('a business without staff', () => {
  it('books without one, one at a time', async () => {
    const practice = await openPractice(world);
    const answers = await atOnce(10, () => practice.book());
    const won = withStatus(answers, 201);
    expect(won).toHaveLength(1);
    expect(won[0]?.body.data.staff_id).toBeNull();
    expect(withStatus(answers, 409)).toHaveLength(9);
  });
});
