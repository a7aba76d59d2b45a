import { atOnce, statusCounts } from './answers.ts';
import {
  type Answer,
  type BookedSalon,
  everyDay,
  MONDAY,
  NINE_TO_FIVE,
  openPractice,
  openSalon,
  salonWithAppointment,
} from './salon.ts';
import { type SchedulingWorld, startScheduling } from './scheduling-world.ts';

let world: SchedulingWorld;
beforeAll(async () => {
  world = await startScheduling();
});
afterAll(() => world.stop());

describe('the records', () => {
  const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/;
  const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
  const DATE = /^\d{4}-\d\d-\d\d$/;
  const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

  const matching = (pattern: RegExp) => expect.stringMatching(pattern);

  const APPOINTMENT = {
    id: expect.any(Number),
    customer_id: expect.any(Number),
    service_id: expect.any(Number),
    staff_id: expect.any(Number),
    appointment_date: matching(DATE),
    appointment_time: matching(TIME),
    end_time: matching(TIME),
    duration_minutes: expect.any(Number),
    timezone: 'Europe/Berlin',
    starts_at: matching(LOCAL),
    ends_at: matching(LOCAL),
    status: expect.stringMatching(/^(scheduled|completed|cancelled|no_show)$/),
    notes: null,
    source: 'api',
    price: 45.5,
    currency: 'EUR',
    created_at: matching(UTC),
    updated_at: matching(UTC),
    cancelled_at: null,
  };

  const SLOT = {
    date: matching(DATE),
    time: matching(TIME),
    end_time: matching(TIME),
    starts_at: matching(LOCAL),
    ends_at: matching(LOCAL),
    staff_id: expect.any(Number),
    staff_ids: expect.any(Array),
  };

  describe('the appointment’s record', () => {
    it('has the same fields, in the same forms, wherever it is shown', async () => {
      const salon = await openSalon(world);
      const booked = await salon.book();
      const path = `/appointments/${booked.body.data.id}`;
      const shown = await world.api(salon.tenantId, 'GET', path);
      const moved = await salon.change(booked.body.data.id, { appointment_time: '12:00' });
      const done = await salon.setStatus(booked.body.data.id, 'completed');
      for (const { body } of [booked, shown, moved, done])
        expect(body).toEqual({ success: true, data: APPOINTMENT });
      const listed = await world.api(salon.tenantId, 'GET', '/appointments');
      expect(listed.body).toEqual({
        success: true,
        data: [APPOINTMENT],
        meta: { page: 1, per_page: 20, total: 1 },
      });
      const cancelled = await salon.cancel(booked.body.data.id);
      expect(cancelled.body).toEqual({
        success: true,
        data: { ...APPOINTMENT, status: 'cancelled', cancelled_at: matching(UTC) },
      });
      const events = await world.events(salon.tenantId);
      expect(events.map(({ data }) => data)).toEqual(
        [booked, moved, done, cancelled].map(({ body }) => body.data),
      );
    });

    it('names its ETag in every view, one version higher with every change', async () => {
      const salon = await openSalon(world);
      const booked = await salon.book();
      const { id } = booked.body.data;
      const shown = await world.api(salon.tenantId, 'GET', `/appointments/${id}`);
      const answers = [
        booked,
        shown,
        await salon.change(id, { notes: 'x' }),
        await salon.setStatus(id, 'no_show'),
        await salon.cancel(id),
        await salon.cancel(id),
      ];
      expect(answers.map(({ headers }) => headers.etag)).toEqual(['"1"', '"1"', '"2"', '"3"', '"4"', '"4"']);
    });
  });

  describe('the slot’s record', () => {
    it('is the same in the list and among the alternatives of a 409, and posts back as it is', async () => {
      const salon = await openSalon(world);
      const listed = await salon.slots();
      expect(Object.keys(listed.body)).toEqual(['success', 'data']);
      expect(listed.body.data).toEqual(Array(29).fill(SLOT));
      await salon.book({ staff_id: salon.anna });
      const taken = await salon.book({ staff_id: salon.anna });
      expect(taken.body).toEqual({
        success: false,
        message: expect.any(String),
        code: 'slot_unavailable',
        request_id: expect.any(String),
        errors: { appointment_time: [expect.any(String)] },
        data: { alternatives: Array(5).fill(SLOT) },
      });
      const { date, time, staff_id } = taken.body.data.alternatives[0];
      const again = await salon.book({ appointment_date: date, appointment_time: time, staff_id });
      expect([again.status, again.body.data.staff_id]).toEqual([201, salon.anna]);
    });

    it('alternatives are the five nearest, in order of time, and none lies in the past', async () => {
      const salon = await openSalon(world);
      await salon.book({ staff_id: salon.anna, appointment_time: '12:00' });
      const { body } = await salon.book({ staff_id: salon.anna, appointment_time: '12:30' });
      expect(body.data.alternatives.map(({ time }: { time: string }) => time)).toEqual([
        ...['11:00', '13:00', '13:15', '13:30', '13:45'],
      ]);
      const past = { staff_id: salon.anna, appointment_date: '2020-06-01', appointment_time: '10:00' };
      await salon.book(past);
      const before = Date.now();
      const late = await salon.book(past);
      expect(late.status).toBe(409);
      for (const { starts_at } of late.body.data.alternatives)
        expect(Date.parse(starts_at)).toBeGreaterThanOrEqual(before);
    });
  });

  describe('staff and services', () => {
    it('the records have exactly their fields, in lists without meta and alone', async () => {
      const salon = await openSalon(world);
      await salon.book({ staff_id: salon.anna });
      const slot = { date: matching(DATE), time: matching(TIME), starts_at: matching(LOCAL) };
      const entry = {
        id: expect.any(Number),
        name: expect.any(String),
        specialties: expect.any(Array),
        timezone: 'Europe/Berlin',
        next_available_slot: slot,
      };
      const service = {
        id: expect.any(Number),
        name: expect.any(String),
        description: null,
        duration_minutes: expect.any(Number),
        price: expect.any(Number),
        currency: 'EUR',
      };
      const get = async (path: string) => (await world.api(salon.tenantId, 'GET', path)).body;
      expect(await get('/staff')).toEqual({ success: true, data: [entry, entry] });
      expect(await get('/services')).toEqual({ success: true, data: [service, service] });
      expect(await get(`/services/${salon.haircut}`)).toEqual({ success: true, data: service });
      expect(await get(`/staff/${salon.anna}`)).toEqual({
        success: true,
        data: {
          ...entry,
          working_hours: everyDay(NINE_TO_FIVE),
          upcoming_appointments: [{ date: MONDAY, time: '10:00' }],
        },
      });
    });

    it('a business without any answers empty lists, and refuses to be booked', async () => {
      const tenantId = world.newTenant();
      for (const list of ['/staff', '/services'])
        expect((await world.api(tenantId, 'GET', list)).body).toEqual({ success: true, data: [] });
      const slots = await world.api(tenantId, 'GET', `/appointments/slots?date=${MONDAY}&service_id=1`);
      expect([slots.status, Object.keys(slots.body.errors)]).toEqual([422, ['service_id']]);
    });

    it('a business without staff has nobody to ask for', async () => {
      const practice = await openPractice(world);
      const { status, body } = await practice.book({ staff_id: 1 });
      expect([status, body.errors]).toEqual([422, { staff_id: ['The selected staff_id is invalid.'] }]);
      expect((await practice.slots({ staff_id: 1 })).status).toBe(422);
    });
  });
});

describe('If-Match', () => {
  type Send = (salon: BookedSalon, etag: string) => Promise<Answer>;
  const sends: [string, Send][] = [
    ['PATCH', (salon, etag) => salon.change(salon.id, { notes: 'new' }, { 'if-match': etag })],
    [
      'PATCH /status',
      ({ tenantId, id }, etag) => {
        const path = `/appointments/${id}/status`;
        return world.api(tenantId, 'PATCH', path, { status: 'completed' }, { 'if-match': etag });
      },
    ],
    ['DELETE', (salon, etag) => salon.cancel(salon.id, { 'if-match': etag })],
  ];

  it.each(sends)(
    '412 for %s without any effect unless one of the tags is the record’s',
    async (_name, send) => {
      const salon = await salonWithAppointment(world);
      for (const etag of ['"2"', '"0"', '1', 'W/1', '"1', '"0,1"', '""', '"2", "3"']) {
        const { status, headers, body } = await send(salon, etag);
        expect([etag, status, body.success, body.code]).toEqual([etag, 412, false, 'precondition_failed']);
        expect(headers.etag).toBe('"1"');
      }
      expect(await salon.shown()).toEqual(salon.appointment);
      expect(await salon.eventTypes()).toEqual(['appointment.created']);
    },
  );

  it.each(sends)('%s: goes through with the record’s tag, among others, or with any', async (_name, send) => {
    for (const etag of ['"1"', '"7", "1"', '*', ' "1" ', 'W/"1"', '"a,b", W/"1-c"']) {
      const salon = await salonWithAppointment(world);
      const { status, headers } = await send(salon, etag);
      expect([etag, status, headers.etag]).toEqual([etag, 200, '"2"']);
    }
  });

  it.each(sends)('404 for %s of a record that is not there, whatever its tag', async (_name, send) => {
    const salon = await salonWithAppointment(world);
    expect((await send({ ...salon, id: 999_999_999 }, '"1"')).status).toBe(404);
  });

  it('412 also where nothing would change', async () => {
    const salon = await salonWithAppointment(world);
    expect((await salon.change(salon.id, {}, { 'if-match': '"2"' })).status).toBe(412);
  });

  it('of ten changes that all have seen the same version, one is made', async () => {
    const salon = await salonWithAppointment(world);
    const answers = await atOnce(10, (index) =>
      salon.change(salon.id, { notes: `${index}` }, { 'if-match': '"1"' }),
    );
    expect(statusCounts(answers)).toEqual({ 200: 1, 412: 9 });
    expect((await salon.shown()).notes).toBe(answers.find(({ status }) => status === 200)?.body.data.notes);
  });
});
