import { APPOINTMENT_STATUSES } from '@frontdesk/contracts';
import { MONDAY, salonWithAppointment } from './salon.ts';
import { type SchedulingWorld, startScheduling } from './scheduling-world.ts';

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling();
});

afterAll(() => world.stop());

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
