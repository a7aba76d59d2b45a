import { HOLD_SECONDS } from '@frontdesk/contracts';
import { atOnce } from '../answers.ts';
import { storedAppointments } from '../appointments-table.ts';
import { asOperator } from '../as-operator.ts';
import { MONDAY, openPractice, openSalon } from '../salon.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';
import { type SalonHolding, salonHolding } from './salon-holding.ts';

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling();
});

afterAll(() => world.stop());

const salonWithHold = (fields: object = {}) => salonHolding(world, fields);

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
    ['a booking', (salon: SalonHolding) => salon.book({ staff_id: salon.anna }), 201],
    ['a booking with anybody', (salon: SalonHolding) => salon.book(), 201],
    ['a hold', (salon: SalonHolding) => salon.hold({ staff_id: salon.anna }), 201],
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
