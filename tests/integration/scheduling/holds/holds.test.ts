import { HOLD_SECONDS, MAX_OPEN_HOLDS, MOST_ENDED_HOLDS } from '@frontdesk/contracts';
import { Client } from 'pg';
import { eventually, lockWaits } from '../../../support/index.ts';
import { atOnce, statusCounts, withStatus } from '../answers.ts';
import { storedAppointments } from '../appointments-table.ts';
import { asOperator } from '../as-operator.ts';
import { ALL_DAY, everyDay, MONDAY, openBusinessOf, openPractice, openSalon } from '../salon.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';
import { hhmm } from '../wall-clock.ts';

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling();
});

afterAll(() => world.stop());

/** A hairdresser's where Anna is held at 10:00. */
async function salonWithHold(fields: object = {}) {
  const salon = await openSalon(world);
  const { status, body } = await salon.hold({ staff_id: salon.anna, ...fields });
  expect([status, body.errors]).toEqual([201, undefined]);
  return { ...salon, held: body.data, id: body.data.id as number };
}

describe('a hold', () => {
  it('is shown with its place, its price and its end, and with an ETag', async () => {
    const salon = await openSalon(world);
    const before = Date.now();
    const answer = await salon.hold({ staff_id: salon.anna, seconds: 300 });
    expect([answer.status, answer.headers.location]).toEqual([201, `/api/v1/holds/${answer.body.data.id}`]);
    const { expires_at, ...held } = answer.body.data;
    expect(held).toEqual({
      id: expect.any(Number),
      service_id: salon.haircut,
      staff_id: salon.anna,
      appointment_date: MONDAY,
      appointment_time: '10:00',
      end_time: '11:00',
      duration_minutes: 60,
      timezone: 'Europe/Berlin',
      starts_at: `${MONDAY}T10:00:00+02:00`,
      ends_at: `${MONDAY}T11:00:00+02:00`,
      price: 45.5,
      currency: 'EUR',
      status: 'open',
    });
    const lasts = Date.parse(expires_at) - before;
    expect(lasts).toBeGreaterThan(299_000);
    expect(lasts).toBeLessThan(400_000);

    const shown = await salon.showHold(held.id);
    expect([shown.status, shown.body.data, shown.headers.etag]).toEqual([
      200,
      answer.body.data,
      answer.headers.etag,
    ]);
  });

  it('lasts two minutes, unless it says otherwise', async () => {
    const { held } = await salonWithHold();
    const lasts = Date.parse(held.expires_at) - Date.now();
    expect(lasts).toBeLessThanOrEqual(HOLD_SECONDS.default * 1_000 + 1_000);
    expect(lasts).toBeGreaterThan(60_000);
  });

  it('keeps its place from bookings, holds and moves, and out of slots and next free times', async () => {
    const salon = await salonWithHold({ appointment_time: '09:00' });
    const staff_id = salon.anna;
    const taken = { staff_id, appointment_time: '09:30' };
    for (const refused of [await salon.book(taken), await salon.hold(taken)]) {
      expect([refused.status, refused.body.code]).toEqual([409, 'slot_unavailable']);
      const starts = refused.body.data.alternatives.map(({ time }: { time: string }) => time);
      expect(starts).toHaveLength(5);
      expect(starts).toEqual(expect.not.arrayContaining(['09:00', '09:15', '09:30', '09:45']));
    }
    const { body: booked } = await salon.book({ staff_id, appointment_time: '12:00' });
    expect((await salon.change(booked.data.id, { appointment_time: '08:30' })).status).toBe(409);
    const { body: free } = await salon.slots({ staff_id });
    expect(free.data[0].time).toBe('10:00');
    const next = async () =>
      (await world.api(salon.tenantId, 'GET', `/staff/${staff_id}`)).body.data.next_available_slot;
    // Today’s, for the shortest service: a hold of it moves the next one on.
    const { date, time } = await next();
    const service_id = salon.beardTrim;
    const place = { staff_id, service_id, appointment_date: date, appointment_time: time };
    expect((await salon.hold(place)).status).toBe(201);
    expect(await next()).not.toEqual(expect.objectContaining({ date, time }));
    expect((await salon.hold({ staff_id: salon.ben, appointment_time: '09:00' })).status).toBe(201);
    // With anybody: nobody is left.
    expect((await salon.hold({ appointment_time: '09:00' })).status).toBe(409);
  });

  it('is none of the appointments, has no event, and counts for no quota', async () => {
    const salon = await salonWithHold();
    const list = await world.api(salon.tenantId, 'GET', '/appointments');
    expect([list.body.data, list.body.meta.total]).toEqual([[], 0]);
    const since = await world.api(salon.tenantId, 'GET', '/appointments?updated_since=2020-01-01T00:00:00Z');
    expect(since.body.data).toEqual([]);
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { notes: 'mine' }],
      ['PATCH', '/status', { status: 'completed' }],
      ['DELETE', '', undefined],
    ] as const) {
      const answer = await world.api(salon.tenantId, method, `/appointments/${salon.id}${path}`, body);
      expect([method, answer.status, answer.body.code]).toEqual([method, 404, 'not_found']);
    }
    const operator = asOperator(world, salon.tenantId);
    const statistics = await operator('GET', `/statistics/appointments?date=${MONDAY}`);
    expect(statistics.body.data.today).toEqual({ scheduled: 0, completed: 0, cancelled: 0, no_show: 0 });
    const usage = await operator('GET', '/quota-usage');
    expect(usage.body.data.appointments_per_day).toBe(0);
    const free = statistics.body.data.free_minutes;
    await salon.release(salon.id);
    const after = await operator('GET', `/statistics/appointments?date=${MONDAY}`);
    expect([free, after.body.data.free_minutes]).toEqual([free, free]);
    expect(free).toBeGreaterThan(0);
    expect(await salon.eventTypes()).toEqual([]);
    const known = await world.send(
      'internal',
      { issuer: 'calls', role: 'service' },
      {
        method: 'POST',
        url: `/internal/tenants/${salon.tenantId}/appointments/by-ids`,
        body: { ids: [salon.id] },
      },
    );
    expect(known.body.data).toEqual([]);
  });

  it('is seen in the days that it touches, until its end', async () => {
    const salon = await salonWithHold();
    const operator = asOperator(world, salon.tenantId);
    const day = async () => operator('GET', `/days/${MONDAY}`);
    const first = await day();
    const holdsOf = (column: { staff_id: number; holds: unknown[] }) => [column.staff_id, column.holds];
    const shown = {
      id: salon.id,
      service_name: 'Haircut',
      buffer_before_minutes: 0,
      buffer_after_minutes: 0,
      starts_at: `${MONDAY}T10:00:00+02:00`,
      ends_at: `${MONDAY}T11:00:00+02:00`,
      expires_at: salon.held.expires_at,
    };
    expect(first.body.data.columns.map(holdsOf)).toEqual([
      [salon.anna, [shown]],
      [salon.ben, []],
    ]);
    expect(first.body.data.columns[0].appointments).toEqual([]);
    const week = await operator('GET', `/weeks/${MONDAY}`);
    expect(week.body.data[0]).toEqual(first.body.data);
    await salon.letExpire();
    const later = await day();
    expect(later.body.data.columns.map(holdsOf)).toEqual([
      [salon.anna, []],
      [salon.ben, []],
    ]);
    expect(later.headers.etag).not.toBe(first.headers.etag);
  });

  it('is seen in the calendar of somebody who does not work here any more', async () => {
    const salon = await salonWithHold();
    const operator = asOperator(world, salon.tenantId);
    await operator('PATCH', `/staff/${salon.anna}`, { is_active: false });
    const { columns } = (await operator('GET', `/days/${MONDAY}`)).body.data;
    expect(columns.map(({ name, holds }: { name: string; holds: object[] }) => [name, holds.length])).toEqual(
      [
        ['Ben', 0],
        ['Anna', 1],
      ],
    );
  });

  it('of another business is not found', async () => {
    const { id } = await salonWithHold();
    const other = await openSalon(world);
    for (const answer of [await other.showHold(id), await other.bookHold(id), await other.release(id)])
      expect([answer.status, answer.body.message]).toEqual([404, 'Hold not found.']);
    const appointment = await other.book();
    for (const answer of [
      await other.showHold(appointment.body.data.id),
      await other.bookHold(appointment.body.data.id),
      await other.release(appointment.body.data.id),
    ])
      expect([answer.status, answer.body.message]).toEqual([404, 'Hold not found.']);
  });

  it.each([
    [{ seconds: 29 }, 'seconds'],
    [{ seconds: 601 }, 'seconds'],
    [{ seconds: 60.5 }, 'seconds'],
    [{ seconds: '60' }, 'seconds'],
    [{ seconds: null }, 'seconds'],
    [{ service_id: 0 }, 'service_id'],
    [{ service_id: 999_999_999 }, 'service_id'],
    [{ staff_id: 999_999_999 }, 'staff_id'],
    [{ appointment_time: '25:00' }, 'appointment_time'],
    [{ appointment_date: '2031-02-30' }, 'appointment_date'],
    [{ appointment_time: '03:00', enforce_slots: true }, 'appointment_time'],
  ])('%j is 422 on %s', async (fields, field) => {
    const salon = await openSalon(world);
    const { status, body } = await salon.hold(fields);
    expect([status, body.code, Object.keys(body.errors ?? {})]).toEqual([422, 'validation_failed', [field]]);
    expect(await storedAppointments(world, salon.tenantId)).toEqual([]);
  });

  it('with an Idempotency-Key is one hold, however often it is asked for', async () => {
    const salon = await openSalon(world);
    const answers = await atOnce(10, () => salon.hold({}, { 'idempotency-key': 'once' }));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.data?.id}`)).size).toBe(1);
    expect(await storedAppointments(world, salon.tenantId)).toHaveLength(1);
  });
});

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
    ['its staff member', (salon: Salon) => `/staff/${salon.anna}`, 5],
    ['its service', (salon: Salon) => `/services/${salon.haircut}`, 0],
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

describe('giving a hold back', () => {
  it('frees its place at once; once more changes nothing', async () => {
    const salon = await salonWithHold();
    const released = await salon.release(salon.id);
    expect([released.status, released.body.data.status]).toEqual([200, 'expired']);
    expect(Date.parse(released.body.data.expires_at)).toBeLessThanOrEqual(Date.now() + 1_000);
    expect((await salon.book({ staff_id: salon.anna })).status).toBe(201);
    const again = await salon.release(salon.id);
    expect([again.status, again.body.data]).toEqual([200, released.body.data]);
    expect((await salon.bookHold(salon.id)).body.code).toBe('hold_expired');
  });

  it('takes If-Match', async () => {
    const salon = await salonWithHold();
    const { headers } = await salon.showHold(salon.id);
    const refused = await salon.release(salon.id, { 'if-match': '"7"' });
    expect([refused.status, refused.headers.etag]).toEqual([412, headers.etag]);
    const seen = { 'if-match': String(headers.etag) };
    expect((await salon.release(salon.id, seen)).status).toBe(200);
    // What has ended meanwhile is as the client wants it.
    expect((await salon.release(salon.id, seen)).status).toBe(200);
  });
});

describe('a hold whose time is over, and which nobody has cleared away', () => {
  it.each([
    ['a booking', (salon: Salon) => salon.book({ staff_id: salon.anna }), 201],
    ['a booking with anybody', (salon: Salon) => salon.book(), 201],
    ['a hold', (salon: Salon) => salon.hold({ staff_id: salon.anna }), 201],
  ])('makes way for %s', async (_what, take, status) => {
    const salon = await salonWithHold();
    await salon.letExpire();
    // Ben is busy: with anybody means Anna.
    await salon.book({ staff_id: salon.ben });
    expect((await take(salon)).status).toBe(status);
    const rows = await storedAppointments(world, salon.tenantId);
    expect(rows.find(({ id }) => id === salon.id)?.status).toBe('expired');
    expect((await salon.slots({ staff_id: salon.anna })).body.data[0].time).toBe('09:00');
  });

  it('makes way for a move, for a return and for a longer visit', async () => {
    const salon = await openSalon(world);
    const staff_id = salon.anna;
    const first = (await salon.book({ staff_id })).body.data.id;
    const hold = async (appointment_time: string) => {
      expect((await salon.hold({ staff_id, appointment_time })).status).toBe(201);
      await salon.letExpire();
    };
    await hold('14:00');
    expect((await salon.change(first, { appointment_time: '14:00' })).status).toBe(200);
    await salon.cancel(first);
    await hold('14:30');
    expect((await salon.setStatus(first, 'scheduled')).status).toBe(200);
    await hold('15:00');
    const longer = await asOperator(world, salon.tenantId)('PATCH', `/appointments/${first}`, {
      duration_minutes: 90,
    });
    expect(longer.status).toBe(200);
    const rows = await storedAppointments(world, salon.tenantId);
    expect(rows.filter(({ status }) => status === 'expired')).toHaveLength(3);
  });

  it('in a business without staff too', async () => {
    const practice = await openPractice(world);
    expect((await practice.hold()).status).toBe(201);
    expect((await practice.book()).status).toBe(409);
    await practice.letExpire();
    expect((await practice.book()).status).toBe(201);
  });
});

type Salon = Awaited<ReturnType<typeof salonWithHold>>;

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
