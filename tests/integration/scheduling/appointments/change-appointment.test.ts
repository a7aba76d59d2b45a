import { MONDAY, openPractice, salonWithAppointment } from '../salon.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';

let world: SchedulingWorld;
beforeAll(async () => {
  world = await startScheduling();
});
afterAll(() => world.stop());
const salonToChange = () => salonWithAppointment(world, { notes: 'first' });

describe('PATCH /appointments/{id}', () => {
  it('400: half of a surrogate pair in the notes, which stay as they are', async () => {
    const salon = await salonToChange();
    const { status, body } = await salon.change(salon.appointment.id, { notes: 'a\ud800' });
    expect([status, body.code]).toEqual([400, 'invalid_json']);
    expect((await salon.change(salon.appointment.id, {})).body.data.notes).toBe('first');
  });

  it('status goes along with other fields: cancelled by PATCH is the event appointment.cancelled', async () => {
    const salon = await salonToChange();
    const { body } = await salon.change(salon.appointment.id, { status: 'cancelled', notes: 'ill' });
    expect(body.data).toMatchObject({ status: 'cancelled', notes: 'ill', cancelled_at: expect.any(String) });
    expect(await salon.eventTypes()).toEqual(['appointment.created', 'appointment.cancelled']);
  });

  it.each([
    ['nothing', {}],
    ['an unknown field', { customer_id: 5 }],
    ['what is so already', { appointment_time: '10:00', notes: 'first', status: 'scheduled' }],
  ])('200 without an event for %s', async (_name, patch) => {
    const salon = await salonToChange();
    const { status, headers, body } = await salon.change(salon.appointment.id, patch);
    expect([status, headers.etag]).toEqual([200, '"1"']);
    expect(body.data).toEqual(salon.appointment);
    expect(await salon.eventTypes()).toEqual(['appointment.created']);
  });

  it('null clears the notes', async () => {
    const salon = await salonToChange();
    expect((await salon.change(salon.appointment.id, { notes: null })).body.data.notes).toBeNull();
  });

  it('422: null for what an appointment always has', async () => {
    const salon = await salonToChange();
    const nothing = { appointment_date: null, appointment_time: null, service_id: null, status: null };
    const { status, body } = await salon.change(salon.appointment.id, nothing);
    expect([status, body.errors]).toEqual([
      422,
      Object.fromEntries(
        Object.keys(nothing).map((field) => [field, [`The ${field} field cannot be null.`]]),
      ),
    ]);
  });

  it('422 on each field that names what the business does not have', async () => {
    const salon = await salonToChange();
    const { id } = salon.appointment;
    const errorsOf = async (patch: object) => (await salon.change(id, patch)).body.errors;
    expect(await errorsOf({ service_id: 999_999 })).toEqual({
      service_id: ['The selected service_id is invalid.'],
    });
    expect(await errorsOf({ staff_id: 999_999 })).toEqual({
      staff_id: ['The selected staff_id is invalid.'],
    });
    expect(await errorsOf({ staff_id: salon.ben, service_id: salon.beardTrim })).toEqual({
      staff_id: ['The selected staff_id does not perform this service.'],
    });
    expect(await errorsOf({ appointment_date: '2031-03-30', appointment_time: '02:30' })).toEqual({
      appointment_time: ['The appointment_time field does not exist on this date in Europe/Berlin.'],
    });
    expect(await salon.eventTypes()).toEqual(['appointment.created']);
  });
});

describe('PATCH /appointments/{id} that moves', () => {
  it('moves to another time, keeps what is not named, and emits one event', async () => {
    const salon = await salonToChange();
    const { status, headers, body } = await salon.change(salon.appointment.id, { appointment_time: '14:30' });
    expect(status).toBe(200);
    expect(headers.etag).toBe('"2"');
    expect(body.data).toEqual({
      ...salon.appointment,
      appointment_time: '14:30',
      end_time: '15:30',
      starts_at: '2031-06-02T14:30:00+02:00',
      ends_at: '2031-06-02T15:30:00+02:00',
      updated_at: body.data.updated_at,
    });
    const events = await world.events(salon.tenantId);
    expect(events.map(({ type, aggregate_version }) => [type, aggregate_version])).toEqual([
      ['appointment.created', 1],
      ['appointment.updated', 2],
    ]);
    expect(events[1]?.data).toEqual(body.data);
  });

  it('frees the old slot and takes the new one', async () => {
    const salon = await salonToChange();
    await salon.change(salon.appointment.id, { appointment_time: '14:30' });
    expect((await salon.book({ staff_id: salon.anna })).status).toBe(201);
    expect((await salon.book({ staff_id: salon.anna, appointment_time: '14:00' })).status).toBe(409);
  });

  it('may overlap itself, but nobody else', async () => {
    const salon = await salonToChange();
    await salon.book({ staff_id: salon.anna, appointment_time: '12:00' });
    const { id } = salon.appointment;
    expect((await salon.change(id, { appointment_time: '10:30' })).status).toBe(200);
    const { status, body } = await salon.change(id, { appointment_time: '11:30' });
    expect(status).toBe(409);
    expect(body.data.alternatives.map(({ time }: { time: string }) => time)).toContain('10:30');
    expect((await world.api(salon.tenantId, 'GET', `/appointments/${id}`)).body.data.appointment_time).toBe(
      '10:30',
    );
  });

  it('another service brings its duration and price; another time keeps those agreed on', async () => {
    const salon = await salonToChange();
    const { id } = salon.appointment;
    const trim = await salon.change(id, { service_id: salon.beardTrim });
    expect(trim.body.data).toMatchObject({ duration_minutes: 30, price: 20, end_time: '10:30' });
    await world.sql(
      salon.tenantId,
      'update services set price_minor = 9900, duration_minutes = 45 where tenant_id = $tenantId',
    );
    const moved = await salon.change(id, { appointment_time: '12:00' });
    expect(moved.body.data).toMatchObject({ duration_minutes: 30, price: 20, end_time: '12:30' });
  });

  it('staff_id null chooses again among those who are free', async () => {
    const salon = await salonToChange();
    await salon.book({ staff_id: salon.anna, appointment_time: '14:00' });
    await salon.book({ staff_id: salon.anna, appointment_time: '16:00' });
    const { body } = await salon.change(salon.appointment.id, {
      staff_id: null,
      appointment_time: '14:30',
    });
    expect(body.data.staff_id).toBe(salon.ben);
  });

  it('staff_id null does not count the appointment itself against its staff member', async () => {
    const salon = await salonToChange();
    await salon.book({ staff_id: salon.ben, appointment_time: '14:00' });
    await salon.book({ staff_id: salon.ben, appointment_time: '15:00' });
    await salon.book({ staff_id: salon.anna, appointment_time: '16:00' });
    await salon.book({ staff_id: salon.anna, appointment_time: '12:00' });
    const { body } = await salon.change(salon.appointment.id, { staff_id: null });
    expect(body.data.staff_id).toBe(salon.anna);
  });

  it('staff_id null that chooses the same again changes nothing and emits nothing', async () => {
    const salon = await salonToChange();
    const before = await salon.eventTypes();
    const { status, headers, body } = await salon.change(salon.appointment.id, { staff_id: null });
    expect([status, headers.etag, body.data]).toEqual([200, '"1"', salon.appointment]);
    expect(await salon.eventTypes()).toEqual(before);
  });

  it('a cancelled one comes back at another time in one step', async () => {
    const salon = await salonToChange();
    const { id } = salon.appointment;
    await salon.cancel(id);
    await salon.book({ staff_id: salon.anna });
    const { status, body } = await salon.change(id, { status: 'scheduled', appointment_time: '12:00' });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ status: 'scheduled', cancelled_at: null, appointment_time: '12:00' });
  });

  it('a cancelled one may be moved onto a taken slot: it holds none', async () => {
    const salon = await salonToChange();
    await salon.cancel(salon.appointment.id);
    await salon.book({ staff_id: salon.anna, appointment_time: '12:00' });
    expect((await salon.change(salon.appointment.id, { appointment_time: '12:00' })).status).toBe(200);
  });

  it('works in a business without staff', async () => {
    const practice = await openPractice(world);
    const { body } = await practice.book();
    await practice.book({ appointment_time: '12:00' });
    expect((await practice.change(body.data.id, { appointment_time: '11:30' })).status).toBe(409);
    const moved = await practice.change(body.data.id, {
      appointment_date: MONDAY,
      appointment_time: '14:00',
    });
    expect(moved.body.data).toMatchObject({ appointment_time: '14:00', staff_id: null });
  });
});
