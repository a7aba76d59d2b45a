import { atOnce, statusCounts } from '../answers.ts';
import { heldAmong, overlapsAmong, storedAppointments } from '../appointments-table.ts';
import { asOperator } from '../as-operator.ts';
import { changeSettings, openBusinessOf } from '../salon.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';
import { salonWithDesk } from './desk-salon.ts';

let world: SchedulingWorld;
beforeAll(async () => {
  world = await startScheduling();
});
afterAll(() => world.stop());

const timesOf = ({ body }: { body: { data: { alternatives: { time: string }[] } } }) =>
  body.data.alternatives.map(({ time }) => time);

describe('the length of an appointment', () => {
  it('changes at the same time, as a new version with its event', async () => {
    const salon = await salonWithDesk(world);
    const { status, headers, body } = await salon.edit({ duration_minutes: 90 });
    expect([status, headers.etag]).toEqual([200, '"2"']);
    expect(body.data).toEqual({
      ...salon.appointment,
      duration_minutes: 90,
      end_time: '11:30',
      ends_at: '2031-06-02T11:30:00+02:00',
      updated_at: body.data.updated_at,
    });
    const events = await world.events(salon.tenantId);
    expect(events.map(({ type }) => type)).toEqual(['appointment.created', 'appointment.updated']);
    expect(events[1]?.data).toEqual(body.data);
    expect((await salon.edit({ duration_minutes: 90 })).headers.etag).toBe('"2"');
  });

  it('holds the place for so long, and no longer', async () => {
    const salon = await salonWithDesk(world);
    const book = async (appointment_time: string) =>
      (await salon.book({ staff_id: salon.anna, appointment_time })).status;
    await salon.edit({ duration_minutes: 90 });
    expect(await book('11:00')).toBe(409);
    await salon.edit({ duration_minutes: 30 });
    expect(await book('10:30')).toBe(201);
  });

  it('409 with alternatives for it where the place is taken; nothing changes', async () => {
    const salon = await salonWithDesk(world);
    await salon.book({ staff_id: salon.anna, appointment_time: '11:00' });
    const taken = await salon.edit({ duration_minutes: 90, price: 60 });
    expect([taken.status, taken.body.code]).toEqual([409, 'slot_unavailable']);
    expect(taken.body.data.alternatives).toContainEqual(
      expect.objectContaining({ time: '09:30', end_time: '11:00' }),
    );
    // For an hour and a half they would be taken, too.
    expect(timesOf(taken)).not.toContain('10:00');
    expect(await salon.shown()).toEqual(salon.appointment);
  });

  it('keeps the buffers of its own', async () => {
    const shop = await openBusinessOf(world, {
      services: [{ name: 'Cut', duration_minutes: 60, price: 10, buffer_after_minutes: 30 }],
      hours: { monday: [{ start: '09:00', end: '17:00' }] },
    });
    const send = asOperator(world, shop.tenantId);
    const { id } = (await shop.book()).body.data;
    await send('PATCH', `/services/${shop.serviceIds[0]}`, { buffer_after_minutes: 0 });
    await shop.book({ appointment_time: '12:00' });
    const resized = (duration_minutes: number) => send('PATCH', `/appointments/${id}`, { duration_minutes });
    expect((await resized(95)).status).toBe(409);
    expect((await resized(90)).status).toBe(200);
  });

  it('a move with another length is checked for that length', async () => {
    const salon = await salonWithDesk(world);
    await salon.book({ staff_id: salon.anna, appointment_time: '15:00' });
    const move = { appointment_time: '14:00', duration_minutes: 90 };
    expect((await salon.edit(move)).status).toBe(409);
    const { body } = await salon.edit({ ...move, appointment_time: '13:30' });
    expect(body.data).toMatchObject({ appointment_time: '13:30', end_time: '15:00', duration_minutes: 90 });
    const { body: ben } = await salon.edit({ staff_id: salon.ben, duration_minutes: 60 });
    expect(ben.data).toMatchObject({ staff_id: salon.ben, duration_minutes: 60, price: 45.5 });
  });

  it('another service brings its own length and price, unless they are given', async () => {
    const salon = await salonWithDesk(world);
    await salon.edit({ duration_minutes: 90, price: 60 });
    const trim = await salon.edit({ service_id: salon.beardTrim });
    expect(trim.body.data).toMatchObject({ duration_minutes: 30, price: 20 });
    const cut = await salon.edit({ service_id: salon.haircut, duration_minutes: 75, price: 50.25 });
    expect(cut.body.data).toMatchObject({ duration_minutes: 75, price: 50.25, end_time: '11:15' });
    const refused = await salon.edit({ service_id: salon.beardTrim, price: 1.999 });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['price']]);
  });

  it('can be corrected for staff who left and for the past; under slots_only it may end after hours', async () => {
    const salon = await salonWithDesk(world);
    await changeSettings(world, salon.tenantId, { booking_policy: 'slots_only' });
    await salon.send('PATCH', `/staff/${salon.anna}`, { is_active: false });
    expect((await salon.edit({ duration_minutes: 480 })).body.data).toMatchObject({ end_time: '18:00' });
    await changeSettings(world, salon.tenantId, { booking_policy: 'open' });
    const past = (await salon.book({ staff_id: salon.ben, appointment_date: '2020-01-06' })).body.data;
    const send = asOperator(world, salon.tenantId);
    const { status } = await send('PATCH', `/appointments/${past.id}`, { duration_minutes: 45 });
    expect(status).toBe(200);
  });

  it('also under slots_only it can be put right who did what in the past, but not moved there', async () => {
    const salon = await salonWithDesk(world);
    const past = (await salon.book({ staff_id: salon.ben, appointment_date: '2020-01-06' })).body.data;
    await changeSettings(world, salon.tenantId, { booking_policy: 'slots_only' });
    const edit = (patch: object) => salon.send('PATCH', `/appointments/${past.id}`, patch);
    expect((await edit({ staff_id: salon.anna })).body.data).toMatchObject({ staff_id: salon.anna });
    expect((await edit({ service_id: salon.beardTrim })).body.data).toMatchObject({ duration_minutes: 30 });
    for (const refused of [{ service_id: salon.haircut, enforce_slots: true }, { appointment_time: '11:00' }])
      expect((await edit(refused)).body.reasons).toEqual({
        appointment_time: [{ reason: 'time_not_offered' }],
      });
  });

  it('with enforce_slots is one that is offered', async () => {
    const salon = await salonWithDesk(world, { appointment_time: '16:00' });
    const enforced = await salon.edit({ duration_minutes: 90, enforce_slots: true });
    expect([enforced.status, enforced.body.reasons]).toEqual([
      422,
      { appointment_time: [{ reason: 'time_not_offered' }] },
    ]);
    expect(timesOf(enforced)).toContain('15:30');
    expect((await salon.edit({ duration_minutes: 60, enforce_slots: true })).status).toBe(200);
    expect((await salon.edit({ duration_minutes: 90 })).status).toBe(200);
  });

  it('a cancelled appointment needs no place for it, and takes it when restored', async () => {
    const salon = await salonWithDesk(world);
    await salon.cancel(salon.id);
    await salon.book({ staff_id: salon.anna, appointment_time: '11:00' });
    expect((await salon.edit({ duration_minutes: 90 })).status).toBe(200);
    expect((await salon.edit({ status: 'scheduled' })).status).toBe(409);
    const { status, body } = await salon.edit({ status: 'scheduled', duration_minutes: 60 });
    expect([status, body.data.status, body.data.duration_minutes]).toEqual([200, 'scheduled', 60]);
  });

  it('of racing lengths and bookings, none overlap', async () => {
    const salon = await salonWithDesk(world);
    const other = (await salon.book({ staff_id: salon.anna, appointment_time: '12:00' })).body.data.id;
    const answers = await atOnce(6, (n) =>
      n % 2 === 0
        ? salon.edit({ duration_minutes: 120 })
        : salon.change(other, { appointment_time: '11:00' }),
    );
    expect(statusCounts(answers)[200]).toBeGreaterThan(0);
    const rows = await storedAppointments(world, salon.tenantId);
    expect([overlapsAmong(rows), heldAmong(rows)]).toEqual([[], expect.any(Array)]);
  });
});

describe('the price of an appointment', () => {
  it('changes alone, whatever is booked beside it, as a new version with its event', async () => {
    const salon = await salonWithDesk(world);
    await changeSettings(world, salon.tenantId, { booking_policy: 'slots_only' });
    await salon.send('PATCH', `/staff/${salon.anna}`, { is_active: false });
    const { headers, body } = await salon.edit({ price: 30.05 });
    expect(headers.etag).toBe('"2"');
    expect(body.data).toEqual({ ...salon.appointment, price: 30.05, updated_at: body.data.updated_at });
    expect(await salon.eventTypes()).toEqual(['appointment.created', 'appointment.updated']);
    expect((await salon.edit({ price: 30.05 })).headers.etag).toBe('"2"');
    expect((await salon.edit({ price: 0, notes: 'Gift' })).body.data).toMatchObject({
      price: 0,
      notes: 'Gift',
    });
  });

  it.each([45.555, -1, 1e12, '45', null, [], {}])('422: %j', async (price) => {
    const salon = await salonWithDesk(world);
    const { status, body } = await salon.edit({ price });
    expect([status, Object.keys(body.errors)]).toEqual([422, ['price']]);
  });

  it.each([0, 1_441, 1.5, '60', null, []])('422 on a length of %j', async (duration_minutes) => {
    const salon = await salonWithDesk(world);
    const { status, body } = await salon.edit({ duration_minutes });
    expect([status, Object.keys(body.errors)]).toEqual([422, ['duration_minutes']]);
  });

  it('neither is the integrators’ to change', async () => {
    const salon = await salonWithDesk(world);
    const { headers } = await salon.change(salon.id, { duration_minutes: 90, price: 1 });
    expect([headers.etag, await salon.shown()]).toEqual(['"1"', salon.appointment]);
  });
});
