import { MONDAY, openPractice, openSalon } from './salon.ts';
import { type SchedulingWorld, startScheduling } from './scheduling-world.ts';

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling();
});

afterAll(() => world.stop());

async function salonWithAppointment() {
  const salon = await openSalon(world);
  const { body } = await salon.book({ staff_id: salon.anna, notes: 'first' });
  return { ...salon, appointment: body.data };
}

describe('PATCH /appointments/{id}', () => {
  it('moves to another time, keeps what is not named, and tells so once', async () => {
    const salon = await salonWithAppointment();
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
    const salon = await salonWithAppointment();
    await salon.change(salon.appointment.id, { appointment_time: '14:30' });
    expect((await salon.book({ staff_id: salon.anna })).status).toBe(201);
    expect((await salon.book({ staff_id: salon.anna, appointment_time: '14:00' })).status).toBe(409);
  });

  it('may overlap itself, but nobody else', async () => {
    const salon = await salonWithAppointment();
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
    const salon = await salonWithAppointment();
    const { id } = salon.appointment;
    const trim = await salon.change(id, { service_id: salon.beardTrim });
    expect(trim.body.data).toMatchObject({ duration_minutes: 30, price: 20, end_time: '10:30' });
    await world.sql(
      salon.tenantId,
      'update services set price_minor = 9900, duration_minutes = 45 where tenant_id = $1',
    );
    const moved = await salon.change(id, { appointment_time: '12:00' });
    expect(moved.body.data).toMatchObject({ duration_minutes: 30, price: 20, end_time: '12:30' });
  });

  it('of two that move to one slot at once, one wins', async () => {
    const salon = await openSalon(world);
    const times = ['09:00', '10:00', '11:00', '12:00'];
    const ids = await Promise.all(
      times.map(async (appointment_time) => {
        const { body } = await salon.book({ staff_id: salon.anna, appointment_time });
        return body.data.id as number;
      }),
    );
    const answers = await Promise.all(ids.map((id) => salon.change(id, { appointment_time: '15:00' })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(3);
  });

  it('of eight that move to one slot at once, time and again, none waits for a deadlock to end', async () => {
    const salon = await openSalon(world);
    const days = Array.from({ length: 8 }, (_, index) => `2031-08-0${index + 1}`);
    const ids = await Promise.all(
      days.map(async (appointment_date) => {
        const { body } = await salon.book({ staff_id: salon.anna, appointment_date });
        return body.data.id as number;
      }),
    );
    const deadlocks = async () =>
      world.sql(
        salon.tenantId,
        'select deadlocks from pg_stat_database where datname = current_database() and $1::bigint > 0',
      );
    const before = await deadlocks();
    for (let round = 10; round < 30; round += 1) {
      const answers = await Promise.all(
        ids.map((id) => salon.change(id, { appointment_date: `2032-01-${round}` })),
      );
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
        200,
        ...Array(7).fill(409),
      ]);
    }
    expect(await deadlocks()).toEqual(before);
  });

  it('eight that leave the choice of staff open and move to one time at once all find somebody', async () => {
    const tenantId = world.newTenant();
    const { body } = await world.importBusiness(tenantId, {
      services: [{ name: 'Haircut', duration_minutes: 60, price: 10 }],
      staff: Array.from({ length: 8 }, (_, index) => ({
        name: `S${index}`,
        services: ['Haircut'],
        hours: {},
      })),
    });
    const customer_id = world.newCustomer(tenantId);
    const [{ id: service_id }] = body.data.services;
    const ids: number[] = [];
    for (let hour = 10; hour < 18; hour += 1) {
      const booked = await world.api(tenantId, 'POST', '/appointments', {
        ...{ customer_id, service_id, appointment_date: '2031-08-01', appointment_time: `${hour}:00` },
      });
      ids.push(booked.body.data.id);
    }
    const answers = await Promise.all(
      ids.map((id) =>
        world.api(tenantId, 'PATCH', `/appointments/${id}`, {
          staff_id: null,
          appointment_date: MONDAY,
          appointment_time: '10:00',
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  });

  it('two that swap places at once never both fail for good nor overlap', async () => {
    const salon = await openSalon(world);
    const [a, b] = await Promise.all([
      salon.book({ staff_id: salon.anna }),
      salon.book({ staff_id: salon.ben }),
    ]);
    const answers = await Promise.all([
      salon.change(a?.body.data.id, { staff_id: salon.ben }),
      salon.change(b?.body.data.id, { staff_id: salon.anna }),
    ]);
    for (const { status } of answers) expect([200, 409]).toContain(status);
    const { body } = await world.api(salon.tenantId, 'GET', '/appointments');
    expect(new Set(body.data.map(({ staff_id }: { staff_id: number }) => staff_id)).size).toBe(2);
  });

  it('staff_id null chooses anew among those who are free', async () => {
    const salon = await salonWithAppointment();
    await salon.book({ staff_id: salon.anna, appointment_time: '14:00' });
    await salon.book({ staff_id: salon.anna, appointment_time: '16:00' });
    const { body } = await salon.change(salon.appointment.id, {
      staff_id: null,
      appointment_time: '14:30',
    });
    expect(body.data.staff_id).toBe(salon.ben);
  });

  it('staff_id null does not count the appointment itself against whoever has it', async () => {
    const salon = await salonWithAppointment();
    await salon.book({ staff_id: salon.ben, appointment_time: '14:00' });
    await salon.book({ staff_id: salon.ben, appointment_time: '15:00' });
    await salon.book({ staff_id: salon.anna, appointment_time: '16:00' });
    await salon.book({ staff_id: salon.anna, appointment_time: '12:00' });
    const { body } = await salon.change(salon.appointment.id, { staff_id: null });
    expect(body.data.staff_id).toBe(salon.anna);
  });

  it('half of a surrogate pair in the notes, sent twice, is one change', async () => {
    const salon = await salonWithAppointment();
    const patch = { notes: 'a\ud800' };
    const first = await salon.change(salon.appointment.id, patch);
    const second = await salon.change(salon.appointment.id, patch);
    expect([first.headers.etag, second.headers.etag]).toEqual(['"2"', '"2"']);
    expect(second.body.data.notes).toBe('a\ufffd');
  });

  it('status goes along with other fields: cancelled by PATCH is the event appointment.cancelled', async () => {
    const salon = await salonWithAppointment();
    const { body } = await salon.change(salon.appointment.id, { status: 'cancelled', notes: 'ill' });
    expect(body.data).toMatchObject({ status: 'cancelled', notes: 'ill', cancelled_at: expect.any(String) });
    expect(await salon.eventTypes()).toEqual(['appointment.created', 'appointment.cancelled']);
  });

  it('a cancelled one comes back at another time in one step', async () => {
    const salon = await salonWithAppointment();
    const { id } = salon.appointment;
    await salon.cancel(id);
    await salon.book({ staff_id: salon.anna });
    const { status, body } = await salon.change(id, { status: 'scheduled', appointment_time: '12:00' });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ status: 'scheduled', cancelled_at: null, appointment_time: '12:00' });
  });

  it('a cancelled one may be moved onto a taken slot: it holds none', async () => {
    const salon = await salonWithAppointment();
    await salon.cancel(salon.appointment.id);
    await salon.book({ staff_id: salon.anna, appointment_time: '12:00' });
    expect((await salon.change(salon.appointment.id, { appointment_time: '12:00' })).status).toBe(200);
  });

  it.each([
    ['nothing', {}],
    ['an unknown field', { customer_id: 5 }],
    ['what is so already', { appointment_time: '10:00', notes: 'first', status: 'scheduled' }],
  ])('200 without an event for %s', async (_name, patch) => {
    const salon = await salonWithAppointment();
    const { status, headers, body } = await salon.change(salon.appointment.id, patch);
    expect([status, headers.etag]).toEqual([200, '"1"']);
    expect(body.data).toEqual(salon.appointment);
    expect(await salon.eventTypes()).toEqual(['appointment.created']);
  });

  it('null clears the notes', async () => {
    const salon = await salonWithAppointment();
    expect((await salon.change(salon.appointment.id, { notes: null })).body.data.notes).toBeNull();
  });

  it('412: another version than the one in If-Match, and nothing happens', async () => {
    const salon = await salonWithAppointment();
    const { id } = salon.appointment;
    await salon.change(id, { notes: 'second' });
    const stale = await salon.change(id, { notes: 'third' }, { 'if-match': '"1"' });
    expect([stale.status, stale.body.code]).toEqual([412, 'precondition_failed']);
    const fresh = await salon.change(id, { notes: 'third' }, { 'if-match': '"2"' });
    expect([fresh.status, fresh.headers.etag]).toEqual([200, '"3"']);
  });

  it('422 on each field that names what the business does not have', async () => {
    const salon = await salonWithAppointment();
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
