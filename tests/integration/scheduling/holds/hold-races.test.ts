import { MAX_OPEN_HOLDS, MOST_ENDED_HOLDS } from '@frontdesk/contracts';
import { atOnce, statusCounts, withStatus } from '../answers.ts';
import { storedAppointments } from '../appointments-table.ts';
import { ALL_DAY, everyDay, MONDAY, openBusinessOf, openSalon } from '../salon.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';
import { hhmm } from '../wall-clock.ts';
import { salonHolding } from './salon-holding.ts';

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling();
});

afterAll(() => world.stop());

const salonWithHold = (fields: object = {}) => salonHolding(world, fields);

describe('how many there may be', () => {
  const openAllDay = (staff: number) =>
    openBusinessOf(world, {
      services: [{ name: 'Cut', duration_minutes: 10, price: 10 }],
      staff: Array.from({ length: staff }, (_, index) => ({
        name: `Staff ${index}`,
        services: ['Cut'],
        hours: everyDay(ALL_DAY),
      })),
    });
  const timeOf = (index: number) => hhmm(index * 10);

  it('of one key: 20 at a time, however many ask at once; what ends makes room', async () => {
    const shop = await openAllDay(1);
    const answers = await atOnce(40, (index) => shop.hold({ appointment_time: timeOf(index) }));
    expect(statusCounts(answers)).toEqual({ 201: MAX_OPEN_HOLDS.key, 422: 40 - MAX_OPEN_HOLDS.key });
    for (const { body } of withStatus(answers, 422))
      expect([body.code, body.message]).toEqual([
        'quota_exceeded',
        'This key has 20 open holds, and may have 20. Book one, give one back, or wait until one expires.',
      ]);
    const [first, second] = withStatus(answers, 201);
    await shop.release(first?.body.data.id);
    await shop.letExpire(second?.body.data.id);
    const more = await atOnce(3, (index) => shop.hold({ appointment_time: timeOf(60 + index) }));
    expect(statusCounts(more)).toEqual({ 201: 2, 422: 1 });
  });

  it('of a business: 50, whoever asks; a refusal is not kept under its Idempotency-Key', async () => {
    const shop = await openAllDay(1);
    const holdAs = (keyId: number, index: number, headers = {}) =>
      world.send(
        'api',
        { issuer: 'gateway', role: 'integrator', tenantId: shop.tenantId, keyId },
        {
          method: 'POST',
          url: '/api/v1/holds',
          headers,
          body: {
            service_id: shop.serviceIds[0],
            appointment_date: MONDAY,
            appointment_time: timeOf(index),
          },
        },
      );
    const answers = await atOnce(60, (index) => holdAs(1 + (index % 4), index));
    expect(statusCounts(answers)).toEqual({ 201: MAX_OPEN_HOLDS.business, 422: 10 });
    const key = { 'idempotency-key': 'again' };
    expect((await holdAs(9, 70, key)).status).toBe(422);
    await shop.letExpire();
    expect((await holdAs(9, 70, key)).status).toBe(201);
  });
});

it('of those that have ended, a business keeps the latest two hundred', async () => {
  const salon = await salonWithHold();
  await world.sql(
    salon.tenantId,
    `insert into appointments (tenant_id, service_id, staff_id, starts_at, ends_at, occupied, local_date, timezone, duration_minutes,
       buffer_before_minutes, buffer_after_minutes, price_minor, currency, status, source, held_until, holder)
     select tenant_id, service_id, staff_id, starts_at, ends_at, occupied, local_date, timezone, duration_minutes, 0, 0, price_minor,
       currency, 'expired', '', now() - n * interval '1 s', holder
     from appointments cross join generate_series(1, 250) n where tenant_id = $tenantId`,
  );
  await salon.release(salon.id);
  expect((await salon.hold()).status).toBe(201);
  const rows = await storedAppointments(world, salon.tenantId);
  const ended = rows.filter(({ status }) => status === 'expired').map(({ id }) => id);
  expect(ended).toHaveLength(MOST_ENDED_HOLDS);
  expect(ended).toContain(salon.id);
});

describe('a race for 20 places', () => {
  it('of 200 who hold or book: 20 appointments, no place twice, and the others hear what is free', async () => {
    const shop = await openBusinessOf(world, {
      services: [{ name: 'Cut', duration_minutes: 60, price: 10 }],
      settings: { booking_policy: 'slots_only', slot_step_minutes: 60 },
      staff: Array.from({ length: 4 }, (_, index) => ({
        name: `Staff ${index}`,
        services: ['Cut'],
        hours: everyDay([{ start: '09:00', end: '14:00' }]),
      })),
    });
    const customers = await atOnce(200, async () => world.newCustomer(shop.tenantId));
    const want = async (index: number) => {
      const appointment_time = hhmm(540 + (index % 5) * 60);
      const customer_id = customers[index];
      if (index % 2 === 0) return shop.book({ appointment_time, customer_id });
      const held = await shop.hold({ appointment_time });
      if (held.status !== 201) return held;
      // Some think better of it, and some ask twice.
      if (index % 9 === 0) return shop.release(held.body.data.id);
      const [booked] = await atOnce(index % 3 === 0 ? 2 : 1, () =>
        shop.bookHold(held.body.data.id, { customer_id }),
      );
      return booked as NonNullable<typeof booked>;
    };
    const answers = await atOnce(200, want);
    // What was given back may be left: somebody takes it.
    for (let index = 0; index < 20; index += 1)
      await shop.book({ appointment_time: hhmm(540 + (index % 5) * 60), customer_id: customers[index] });

    for (const { status, body } of answers) {
      expect([200, 201, 409, 422]).toContain(status);
      if (status === 422) expect(body.code).toBe('quota_exceeded');
      if (status === 409) {
        expect(body.code).toBe('slot_unavailable');
        expect(body.data.alternatives).toHaveLength(5);
      }
    }
    const rows = await storedAppointments(world, shop.tenantId);
    const booked = rows.filter(({ status }) => status === 'scheduled');
    expect(booked).toHaveLength(20);
    expect(new Set(booked.map(({ resource_id, from }) => `${resource_id} ${from}`)).size).toBe(20);
    expect(rows.filter(({ status }) => status === 'held')).toEqual([]);
    expect(await shop.eventTypes()).toEqual(Array.from({ length: 20 }, () => 'appointment.created'));
  });

  it('of 100 for holds whose time is over: as many are had as there are places', async () => {
    const salon = await openSalon(world);
    for (let index = 0; index < 8; index += 1)
      await salon.hold({ staff_id: salon.anna, appointment_time: hhmm(540 + index * 60) });
    await salon.letExpire();
    const answers = await atOnce(100, (index) => {
      const fields = { staff_id: salon.anna, appointment_time: hhmm(540 + (index % 16) * 30) };
      return index % 2 === 0 ? salon.book(fields) : salon.hold(fields);
    });
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 409]));
    const rows = await storedAppointments(world, salon.tenantId);
    const had = rows.filter(({ status }) => status === 'scheduled' || status === 'held');
    expect(had).toHaveLength(withStatus(answers, 201).length);
    expect(had.length).toBeGreaterThanOrEqual(4);
  });
});
