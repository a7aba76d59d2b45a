import { APPOINTMENT_STATUSES, type AppointmentStatus } from '@frontdesk/contracts';
import { MONDAY, openSalon, salonWithAppointment } from '../salon.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';

let world: SchedulingWorld;
beforeAll(async () => {
  world = await startScheduling();
});
afterAll(() => world.stop());

describe('the status of an appointment', () => {
  type Salon = Awaited<ReturnType<typeof openSalon>>;
  const HOLDING: AppointmentStatus[] = ['scheduled', 'completed'];

  /** An appointment of Anna's at 10:00 in this status. */
  async function appointmentIn(salon: Salon, status: AppointmentStatus) {
    const { body } = await salon.book({ staff_id: salon.anna });
    if (status === 'scheduled') return body.data;
    return (await salon.setStatus(body.data.id, status)).body.data;
  }

  const transitions = APPOINTMENT_STATUSES.flatMap((from) =>
    APPOINTMENT_STATUSES.map((to) => [from, to] as const),
  );

  describe('PATCH /appointments/{id}/status', () => {
    it.each(transitions)('from %s to %s', async (from, to) => {
      const salon = await openSalon(world);
      const before = await appointmentIn(salon, from);
      const eventsBefore = await salon.eventTypes();
      const { status, headers, body } = await salon.setStatus(before.id, to);
      expect(status).toBe(200);
      expect(body.data.status).toBe(to);

      const newEvents = (await world.events(salon.tenantId)).slice(eventsBefore.length);
      if (from === to) {
        expect(body.data).toEqual(before);
        expect(newEvents).toEqual([]);
        return;
      }
      const type = to === 'cancelled' ? 'appointment.cancelled' : 'appointment.updated';
      expect(newEvents).toEqual([expect.objectContaining({ type, data: body.data })]);
      expect(headers.etag).toBe(`"${newEvents[0]?.aggregate_version}"`);
      expect(body.data.cancelled_at).toEqual(to === 'cancelled' ? expect.stringMatching(/Z$/) : null);
    });

    it.each(APPOINTMENT_STATUSES)('%s holds its slot or leaves it free, as its kind does', async (status) => {
      const salon = await openSalon(world);
      await appointmentIn(salon, status);
      const other = await salon.book({ staff_id: salon.anna });
      expect(other.status).toBe(HOLDING.includes(status) ? 409 : 201);
    });

    it.each([
      ['cancelled', 'scheduled'],
      ['cancelled', 'completed'],
      ['no_show', 'scheduled'],
      ['no_show', 'completed'],
    ] as const)(
      '409: from %s to %s when the slot is lost, with alternatives and no event',
      async (from, to) => {
        const salon = await openSalon(world);
        const { id } = await appointmentIn(salon, from);
        await salon.book({ staff_id: salon.anna });
        const eventsBefore = await salon.eventTypes();
        const { status, body } = await salon.setStatus(id, to);
        expect(status).toBe(409);
        expect(body.code).toBe('slot_unavailable');
        expect(body.data.alternatives).toHaveLength(5);
        for (const { staff_ids } of body.data.alternatives) expect(staff_ids).toEqual([salon.anna]);
        expect(await salon.eventTypes()).toEqual(eventsBefore);
        expect((await world.api(salon.tenantId, 'GET', `/appointments/${id}`)).body.data.status).toBe(from);
      },
    );

    it('422: anything but the four, and none at all', async () => {
      const salon = await openSalon(world);
      const { id } = await appointmentIn(salon, 'scheduled');
      const url = `/appointments/${id}/status`;
      expect((await world.api(salon.tenantId, 'PATCH', url, { status: 'done' })).body.errors).toEqual({
        status: ['The status field must be one of scheduled, completed, cancelled, no_show.'],
      });
      expect((await world.api(salon.tenantId, 'PATCH', url, {})).body.errors).toEqual({
        status: ['The status field is required.'],
      });
    });
  });

  describe('DELETE /appointments/{id}', () => {
    it('200 with the cancelled record and one appointment.cancelled; a second time 200 and nothing more', async () => {
      const salon = await openSalon(world);
      const { id } = await appointmentIn(salon, 'scheduled');
      const first = await salon.cancel(id);
      const second = await salon.cancel(id);
      expect([first.status, second.status]).toEqual([200, 200]);
      expect(first.body.data).toMatchObject({ id, status: 'cancelled', cancelled_at: expect.any(String) });
      expect(second.body).toEqual(first.body);
      expect(await salon.eventTypes()).toEqual(['appointment.created', 'appointment.cancelled']);
    });
  });
});

describe('PATCH with a status', () => {
  const transitions = APPOINTMENT_STATUSES.flatMap((from) =>
    APPOINTMENT_STATUSES.filter((to) => to !== from).map((to) => [from, to] as const),
  );

  it.each(transitions)('from %s to %s does what PATCH /status does', async (from, to) => {
    const [one, other] = [await salonWithAppointment(world), await salonWithAppointment(world)];
    await one.setStatus(one.id, from);
    await other.setStatus(other.id, from);
    const { body } = await one.change(one.id, { status: to });
    const { body: expected } = await other.setStatus(other.id, to);
    expect(body.data.status).toBe(to);
    const own = ['id', 'customer_id', 'service_id', 'staff_id', 'created_at', 'updated_at', 'cancelled_at'];
    const common = (record: object) => Object.entries(record).filter(([key]) => !own.includes(key));
    expect(common(body.data)).toEqual(common(expected.data));
    expect(await one.eventTypes()).toEqual(await other.eventTypes());
  });

  it.each(['cancelled', 'no_show'])(
    '409 where the slot that a %s one gave up is lost; elsewhere it may come back',
    async (from) => {
      const salon = await salonWithAppointment(world);
      await salon.setStatus(salon.id, from);
      await salon.book({ staff_id: salon.anna });
      for (const status of ['scheduled', 'completed']) {
        const { status: answered, body } = await salon.change(salon.id, { status });
        expect([answered, Object.keys(body.errors), body.data.alternatives.length]).toEqual([
          ...[409, ['appointment_time'], 5],
        ]);
      }
      expect((await salon.change(salon.id, { notes: 'still away' })).status).toBe(200);
      const back = await salon.change(salon.id, { status: 'scheduled', staff_id: salon.ben });
      expect([back.status, back.body.data.staff_id]).toEqual([200, salon.ben]);
    },
  );

  it('cancelling it and moving it at once is one event, appointment.cancelled, and frees both places', async () => {
    const salon = await salonWithAppointment(world);
    const { body } = await salon.change(salon.id, { status: 'cancelled', appointment_time: '12:00' });
    expect(body.data).toMatchObject({ status: 'cancelled', appointment_time: '12:00' });
    for (const appointment_time of ['10:00', '12:00'])
      expect((await salon.book({ staff_id: salon.anna, appointment_time })).status).toBe(201);
    expect((await salon.eventTypes()).slice(0, 2)).toEqual(['appointment.created', 'appointment.cancelled']);
  });

  it('a cancelled one that is changed stays cancelled since when it was, and is only updated', async () => {
    const salon = await salonWithAppointment(world);
    const { cancelled_at } = (await salon.cancel(salon.id)).body.data;
    const { body } = await salon.change(salon.id, {
      notes: 'x',
      appointment_date: MONDAY,
      appointment_time: '11:00',
    });
    expect(body.data.cancelled_at).toBe(cancelled_at);
    expect((await salon.eventTypes()).at(-1)).toBe('appointment.updated');
  });

  it('cancelled, reactivated and cancelled again: two events of that name', async () => {
    const salon = await salonWithAppointment(world);
    const first = (await salon.cancel(salon.id)).body.data;
    await salon.setStatus(salon.id, 'scheduled');
    const second = (await salon.cancel(salon.id)).body.data;
    expect(Date.parse(second.cancelled_at)).toBeGreaterThan(Date.parse(first.cancelled_at));
    expect(await salon.eventTypes()).toEqual([
      ...['appointment.created', 'appointment.cancelled', 'appointment.updated', 'appointment.cancelled'],
    ]);
  });
});
