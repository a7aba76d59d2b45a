import { Client } from 'pg';
import { eventually, lockWaits } from '../../../support/index.ts';
import { asOperator } from '../as-operator.ts';
import { MONDAY, openSalon } from '../salon.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';
import { type SalonHolding, salonHolding } from './salon-holding.ts';

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling();
});

afterAll(() => world.stop());

const salonWithHold = (fields: object = {}) => salonHolding(world, fields);

describe('booking a hold', () => {
  it('makes it the appointment, at the price and length of the moment it was held', async () => {
    const salon = await salonWithHold();
    await world.importBusiness(salon.tenantId, {
      services: [{ name: 'Haircut', duration_minutes: 90, price: 60 }],
    });
    const answer = await salon.bookHold(salon.id, { notes: 'First visit', source: 'voice' });
    expect([answer.status, answer.headers.location, answer.headers.etag]).toEqual([
      201,
      `/api/v1/appointments/${salon.id}`,
      '"1"',
    ]);
    expect(answer.body.data).toMatchObject({
      id: salon.id,
      customer_id: salon.customer,
      staff_id: salon.anna,
      appointment_time: '10:00',
      duration_minutes: 60,
      price: 45.5,
      status: 'scheduled',
      notes: 'First visit',
      source: 'voice',
    });
    const { body } = await world.api(salon.tenantId, 'GET', `/appointments/${salon.id}`);
    expect(body.data).toEqual(answer.body.data);
    expect((await world.api(salon.tenantId, 'GET', '/appointments')).body.meta.total).toBe(1);
    const [event, ...others] = await world.events(salon.tenantId);
    expect([event?.type, event?.data, others]).toEqual(['appointment.created', answer.body.data, []]);
    expect((await salon.showHold(salon.id)).body.data.status).toBe('booked');
    const history = await asOperator(world, salon.tenantId)('GET', `/appointments/${salon.id}/history`);
    expect(history.body.data).toMatchObject([{ kind: 'booked', by: { role: 'integrator' } }]);
  });

  it('once more for the same customer is the same appointment as it is by now, with 200', async () => {
    const salon = await salonWithHold();
    await salon.bookHold(salon.id);
    await salon.change(salon.id, { appointment_time: '14:00' });
    const again = await salon.bookHold(salon.id, { notes: 'Other' });
    expect([again.status, again.body.data.appointment_time, again.body.data.notes]).toEqual([
      200,
      '14:00',
      null,
    ]);
    expect(again.headers.location).toBeUndefined();
    expect(await salon.eventTypes()).toEqual(['appointment.created', 'appointment.updated']);
  });

  it('for another customer is 409, and so is giving it back', async () => {
    const salon = await salonWithHold();
    await salon.bookHold(salon.id);
    const customer_id = world.newCustomer(salon.tenantId);
    for (const refused of [await salon.bookHold(salon.id, { customer_id }), await salon.release(salon.id)])
      expect([refused.status, refused.body.code, refused.body.data]).toEqual([409, 'hold_booked', undefined]);
  });

  it('for nobody who is known is 422, and the hold stays', async () => {
    const salon = await salonWithHold();
    for (const customer_id of [999_999_999, 0, null, '1', undefined]) {
      const { status, body } = await salon.bookHold(salon.id, { customer_id });
      expect([customer_id, status, Object.keys(body.errors)]).toEqual([customer_id, 422, ['customer_id']]);
    }
    expect((await salon.showHold(salon.id)).body.data.status).toBe('open');
    expect((await salon.bookHold(salon.id)).status).toBe(201);
  });

  it('after its end is 409, with the nearest free slots of everybody, its own among them', async () => {
    const salon = await salonWithHold();
    await salon.letExpire();
    const refused = await salon.bookHold(salon.id);
    expect([refused.status, refused.body.code]).toEqual([409, 'hold_expired']);
    const times = refused.body.data.alternatives.map(({ time }: { time: string }) => time);
    expect(times).toEqual(expect.arrayContaining(['10:00']));
    expect(times).toHaveLength(5);
    expect((await salon.showHold(salon.id)).body.data.status).toBe('expired');
  });

  it('is refused where its end has come while it waited for others', async () => {
    const salon = await salonWithHold();
    const client = new Client({ connectionString: world.config.DATABASE_URL });
    await client.connect();
    try {
      const ofHold = `from appointments where tenant_id = ${salon.tenantId} and id = ${salon.id}`;
      const soon = `clock_timestamp() + interval '1 s'`;
      await client.query(`update appointments set held_until = ${soon} where id in (select id ${ofHold})`);
      await client.query('begin');
      await client.query(`select ${ofHold} for update`);
      const booking = salon.bookHold(salon.id);
      await eventually(async () => expect((await lockWaits(world.database)).all).toBe(1));
      await eventually(async () =>
        expect(
          (await client.query(`select clock_timestamp() > held_until as is_over ${ofHold}`)).rows,
        ).toEqual([{ is_over: true }]),
      );
      await client.query('rollback');
      const refused = await booking;
      expect([refused.status, refused.body.code]).toEqual([409, 'hold_expired']);
      expect(await salon.eventTypes()).toEqual([]);
    } finally {
      await client.end();
    }
  });

  it.each([
    ['its staff member', (salon: SalonHolding) => `/staff/${salon.anna}`, 5],
    ['its service', (salon: SalonHolding) => `/services/${salon.haircut}`, 0],
  ])('is refused once %s can no longer be booked', async (_what, pathOf, left) => {
    const salon = await salonWithHold();
    const { status } = await asOperator(world, salon.tenantId)('PATCH', pathOf(salon), { is_active: false });
    expect(status).toBe(200);
    const refused = await salon.bookHold(salon.id);
    expect([refused.status, refused.body.code]).toEqual([409, 'hold_expired']);
    const of = refused.body.data.alternatives.map(({ staff_ids }: { staff_ids: number[] }) => staff_ids);
    expect(of).toEqual(Array.from({ length: left }, () => [salon.ben]));
  });

  it('honours what is held when the business closes, blocks the time or sells slots only', async () => {
    const salon = await salonWithHold();
    await world.importBusiness(salon.tenantId, {
      settings: { booking_policy: 'slots_only', minimum_notice_minutes: 60 },
      exceptions: [{ date: MONDAY, hours: [] }],
      time_off: [{ start: `${MONDAY}T00:00`, end: `${MONDAY}T24:00`.replace('T24:00', 'T23:59') }],
    });
    expect((await salon.book({ appointment_time: '11:00' })).status).toBe(422);
    expect((await salon.bookHold(salon.id)).status).toBe(201);
  });

  it('is refused where the day’s quota is used up', async () => {
    const tenantId = world.newTenant({ quotas: { appointments_per_day: 1 } as never });
    const salon = await openSalon(world, tenantId);
    const { body } = await salon.hold();
    expect((await salon.book({ appointment_time: '15:00' })).status).toBe(201);
    const refused = await salon.bookHold(body.data.id);
    expect([refused.status, refused.body.code]).toEqual([422, 'quota_exceeded']);
  });
});
