import { changeSettings, MONDAY, openSalon, salonWithAppointment } from '../salon.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';

let world: SchedulingWorld;
beforeAll(async () => {
  world = await startScheduling();
});
afterAll(() => world.stop());

const SUNDAY = '2031-06-01';
const NOT_OFFERED = {
  appointment_time: ['The appointment_time field must be one of the offered slots.'],
};
const enforce_slots = true;

describe('POST /appointments with enforce_slots', () => {
  const NEVER_OFFERED = [
    { appointment_time: '10:07' },
    { appointment_time: '01:45' },
    { appointment_date: SUNDAY, appointment_time: '01:45' },
    { appointment_date: '2020-03-02' },
  ];

  it('422: refuses under the policy open whatever is not offered, as slots_only does, with the nearest free slots', async () => {
    const [open, strict] = [await openSalon(world), await openSalon(world)];
    await changeSettings(world, strict.tenantId, { booking_policy: 'slots_only' });
    for (const fields of NEVER_OFFERED) {
      const [enforced, refused] = [await open.book({ ...fields, enforce_slots }), await strict.book(fields)];
      for (const { status, body } of [enforced, refused]) {
        expect([fields, status, body.code, body.errors]).toEqual([
          ...[fields, 422, 'validation_failed', NOT_OFFERED],
        ]);
        expect(body.data.alternatives).toHaveLength(5);
      }
      expect((await open.book({ ...fields, enforce_slots: false })).status).toBe(201);
    }
  });

  it('its alternatives are slots that can be booked with it', async () => {
    const salon = await openSalon(world);
    const { body } = await salon.book({ appointment_time: '10:07', enforce_slots });
    expect(body.data.alternatives.map(({ time }: { time: string }) => time)).toEqual([
      ...['09:30', '09:45', '10:00', '10:15', '10:30'],
    ]);
    const [{ date, time }] = body.data.alternatives;
    const booked = await salon.book({ appointment_date: date, appointment_time: time, enforce_slots });
    expect(booked.status).toBe(201);
  });

  it('201 for an offered slot, 409 with alternatives once it is taken; the record says nothing of it', async () => {
    const salon = await openSalon(world);
    const [one, other] = [await salon.book({ enforce_slots }), await salon.book()];
    expect([one.status, other.status]).toEqual([201, 201]);
    expect(Object.keys(one.body.data)).toEqual(Object.keys(other.body.data));
    const third = await salon.book({ enforce_slots });
    expect([third.status, third.body.code]).toEqual([409, 'slot_unavailable']);
    expect(third.body.data.alternatives).toHaveLength(5);
    expect(JSON.stringify(await world.events(salon.tenantId))).not.toContain('enforce_slots');
  });

  it.each([false, null, undefined])('%s leaves it to the policy of the business', async (value) => {
    const salon = await openSalon(world);
    const odd = { appointment_time: '01:45', enforce_slots: value };
    expect((await salon.book(odd)).status).toBe(201);
    await changeSettings(world, salon.tenantId, { booking_policy: 'slots_only' });
    const { status, body } = await salon.book({ ...odd, appointment_time: '02:45' });
    expect([status, body.errors]).toEqual([422, NOT_OFFERED]);
  });

  it.each(['true', 1, 0, '', [], [true], {}])('422: %j is no answer to it', async (value) => {
    const salon = await openSalon(world);
    const { id } = (await salon.book()).body.data;
    const wrong = { enforce_slots: value };
    for (const answer of [
      await salon.book(wrong),
      await salon.change(id, wrong),
      await world.api(salon.tenantId, 'PATCH', `/appointments/${id}/status`, { status: 'no_show', ...wrong }),
    ])
      expect([answer.status, answer.body.errors]).toEqual([
        422,
        { enforce_slots: ['The enforce_slots field must be true or false.'] },
      ]);
  });

  it('names the other faults too, then without alternatives', async () => {
    const salon = await openSalon(world);
    const { status, body } = await salon.book({
      customer_id: 999_999_999,
      appointment_time: '10:07',
      enforce_slots,
    });
    expect(status).toBe(422);
    expect(body.errors).toEqual({
      customer_id: ['The selected customer_id is invalid.'],
      ...NOT_OFFERED,
    });
    expect(body).not.toHaveProperty('data');
  });

  it('an Idempotency-Key replays the refusal; with another enforce_slots it is another body: 422', async () => {
    const salon = await openSalon(world);
    const key = { 'idempotency-key': 'call-1' };
    const odd = { appointment_time: '10:07', enforce_slots };
    const [first, second] = [await salon.book(odd, key), await salon.book(odd, key)];
    expect([first.status, second.status, second.headers['idempotent-replayed']]).toEqual([422, 422, 'true']);
    expect(second.body.data).toEqual(first.body.data);
    for (const other of [false, undefined]) {
      const { status, body } = await salon.book({ ...odd, enforce_slots: other }, key);
      expect([status, Object.keys(body.errors)]).toEqual([422, ['Idempotency-Key']]);
    }
  });
});

describe('PATCH /appointments/{id} with enforce_slots', () => {
  it('422 for a time, service or staff member that is not offered then, and nothing is changed', async () => {
    const salon = await salonWithAppointment(world);
    for (const patch of [
      { appointment_time: '10:07' },
      { appointment_date: SUNDAY, appointment_time: '03:00' },
      { appointment_time: '17:00', staff_id: salon.ben },
      { appointment_time: '16:45', service_id: salon.haircut },
    ]) {
      const { status, body } = await salon.change(salon.id, { ...patch, enforce_slots });
      expect([patch, status, body.errors]).toEqual([patch, 422, NOT_OFFERED]);
      expect(body.data.alternatives).toHaveLength(5);
    }
    expect(await salon.shown()).toEqual(salon.appointment);
    expect(await salon.eventTypes()).toEqual(['appointment.created']);
  });

  it('200 for an offered slot, its own included; its alternatives count its own place as free', async () => {
    const salon = await salonWithAppointment(world);
    const { body } = await salon.change(salon.id, { appointment_time: '10:07', enforce_slots });
    expect(body.data.alternatives.map(({ time }: { time: string }) => time)).toContain('10:00');
    const moved = await salon.change(salon.id, { appointment_time: '10:15', enforce_slots });
    expect([moved.status, moved.body.data.appointment_time]).toEqual([200, '10:15']);
  });

  it('asks nothing where time, service and staff stay: an odd booking keeps its place', async () => {
    const salon = await salonWithAppointment(world, { appointment_time: '01:45' });
    const { status, body } = await salon.change(salon.id, {
      notes: 'by the back door',
      status: 'completed',
      appointment_time: '01:45',
      enforce_slots,
    });
    expect([status, body.data.notes, body.data.status]).toEqual([200, 'by the back door', 'completed']);
  });

  it('another staff member at an odd time is refused, without it taken', async () => {
    const salon = await salonWithAppointment(world, { appointment_time: '01:45' });
    const patch = { staff_id: salon.ben };
    expect((await salon.change(salon.id, { ...patch, enforce_slots })).status).toBe(422);
    expect((await salon.change(salon.id, patch)).status).toBe(200);
  });

  it('alone it changes nothing: 200 without an event', async () => {
    const salon = await salonWithAppointment(world);
    const { status, headers } = await salon.change(salon.id, { enforce_slots });
    expect([status, headers.etag]).toEqual([200, '"1"']);
    expect(await salon.eventTypes()).toEqual(['appointment.created']);
  });
});

describe('a status that takes the time again, with enforce_slots', () => {
  const statusOf = (salon: { tenantId: number; id: number }, fields: object) =>
    world.api(salon.tenantId, 'PATCH', `/appointments/${salon.id}/status`, fields);

  it.each(['cancelled', 'no_show'])('from %s: 200 where it is offered, 422 where it is not', async (from) => {
    const [offered, odd] = [
      await salonWithAppointment(world),
      await salonWithAppointment(world, { appointment_date: SUNDAY, appointment_time: '01:45' }),
    ];
    for (const salon of [offered, odd]) await salon.setStatus(salon.id, from);
    const back = { status: 'scheduled', enforce_slots };
    expect((await statusOf(offered, back)).body.data.status).toBe('scheduled');
    for (const answer of [await statusOf(odd, back), await odd.change(odd.id, back)]) {
      expect([answer.status, answer.body.errors]).toEqual([422, NOT_OFFERED]);
      expect(answer.body.data.alternatives).toHaveLength(5);
    }
    expect((await odd.shown()).status).toBe(from);
    expect((await statusOf(odd, { status: 'scheduled', enforce_slots: false })).status).toBe(200);
  });

  it('409 where it is offered but taken meanwhile', async () => {
    const salon = await salonWithAppointment(world);
    await salon.cancel(salon.id);
    await salon.book({ staff_id: salon.anna });
    const { status, body } = await statusOf(salon, { status: 'scheduled', enforce_slots });
    expect([status, body.code, body.data.alternatives.length]).toEqual([409, 'slot_unavailable', 5]);
  });

  it('a closed day that has come since refuses it; cancelling is never held to slots', async () => {
    const salon = await salonWithAppointment(world);
    const cancelled = await statusOf(salon, { status: 'cancelled', enforce_slots });
    expect(cancelled.status).toBe(200);
    await world.importBusiness(salon.tenantId, { exceptions: [{ date: MONDAY, hours: [] }] });
    expect((await statusOf(salon, { status: 'scheduled', enforce_slots })).body.errors).toEqual(NOT_OFFERED);
    expect((await statusOf(salon, { status: 'scheduled' })).status).toBe(200);
  });
});
