import { atOnce } from './answers.ts';
import { type BookedSalon, MONDAY, openPractice, openSalon, salonWithAppointment } from './salon.ts';
import { type SchedulingWorld, startScheduling } from './scheduling-world.ts';
import { hhmm } from './wall-clock.ts';

let world: SchedulingWorld;
beforeAll(async () => {
  world = await startScheduling();
});
afterAll(() => world.stop());

describe('the fields of a request', () => {
  describe('what an appointment was agreed on', () => {
    /** The same salon with another haircut: longer, dearer, with buffers. */
    const reform = async ({ tenantId }: BookedSalon) => {
      const haircut = { name: 'Haircut', duration_minutes: 90, price: 99, buffer_before_minutes: 20 };
      const { status } = await world.importBusiness(tenantId, {
        services: [{ ...haircut, buffer_after_minutes: 20 }],
      });
      expect(status).toBe(200);
    };

    it('stays as it was booked when its service changes, whatever is done to it', async () => {
      const salon = await salonWithAppointment(world);
      await reform(salon);
      expect(await salon.shown()).toEqual(salon.appointment);
      const terms = { duration_minutes: 60, price: 45.5 };
      const moved = await salon.change(salon.id, { appointment_time: '12:00' });
      expect(moved.body.data).toMatchObject({ ...terms, end_time: '13:00' });
      const passedOn = await salon.change(salon.id, { staff_id: salon.ben });
      expect(passedOn.body.data).toMatchObject({ ...terms, end_time: '13:00' });
      await salon.cancel(salon.id);
      expect((await salon.setStatus(salon.id, 'scheduled')).body.data).toMatchObject(terms);
    });

    it('its buffers stay too: it may be moved to where only new ones would clash', async () => {
      const salon = await salonWithAppointment(world);
      await salon.book({ staff_id: salon.anna, appointment_time: '14:00' });
      await reform(salon);
      expect((await salon.change(salon.id, { appointment_time: '13:00' })).status).toBe(200);
      // A new one brings the new terms: 20 minutes before it and 20 after.
      const at = async (appointment_time: string) =>
        (await salon.book({ staff_id: salon.anna, appointment_time })).status;
      expect([await at('11:11'), await at('11:10')]).toEqual([409, 201]);
      expect([await at('15:19'), await at('15:20')]).toEqual([409, 201]);
    });

    it('the same service named again changes nothing; another and back brings today’s terms', async () => {
      const salon = await salonWithAppointment(world);
      await reform(salon);
      const same = await salon.change(salon.id, { service_id: salon.haircut });
      expect([same.headers.etag, same.body.data]).toEqual(['"1"', salon.appointment]);
      await salon.change(salon.id, { service_id: salon.beardTrim });
      const back = await salon.change(salon.id, { service_id: salon.haircut });
      expect(back.body.data).toMatchObject({ duration_minutes: 90, price: 99, end_time: '11:30' });
    });
  });

  describe('optional fields', () => {
    it.each([
      ['left out', {}],
      ['null', { notes: null, source: null, staff_id: null }],
      ['an empty source', { source: '' }],
    ])('of a booking, %s: no notes, source api, any free staff member', async (_name, fields) => {
      const salon = await openSalon(world);
      const { status, body } = await salon.book(fields);
      expect([status, body.data.notes, body.data.source]).toEqual([201, null, 'api']);
      expect([salon.anna, salon.ben]).toContain(body.data.staff_id);
    });

    it.each(['cancelled', 'nonsense', 5])(
      'status is not sent on create, hence left aside: %s',
      async (status) => {
        const salon = await openSalon(world);
        const answer = await salon.book({
          status,
          id: 7,
          price: 0,
          currency: 'XXX',
          tenant_id: 1,
          constructor: 1,
        });
        expect(answer.status).toBe(201);
        expect(answer.body.data).toMatchObject({ status: 'scheduled', price: 45.5, currency: 'EUR' });
        expect(answer.body.data.id).not.toBe(7);
      },
    );

    it('what a PATCH does not know, or may not change, is left aside', async () => {
      const salon = await salonWithAppointment(world);
      const fixed = {
        id: 1,
        customer_id: 5,
        source: 'x',
        price: 1,
        created_at: 'x',
        duration_minutes: 5,
        toString: 1,
      };
      const { status, headers, body } = await salon.change(salon.id, fixed);
      expect([status, headers.etag, body.data]).toEqual([200, '"1"', salon.appointment]);
    });

    it.each([
      ['appointment_date', null],
      ['appointment_time', null],
      ['service_id', null],
      ['status', null],
      ['appointment_time', '9:00'],
      ['appointment_date', 20_310_602],
      ['staff_id', '1'],
      ['service_id', 0],
      ['notes', ['a']],
      ['status', 'Cancelled'],
    ])('422 where a PATCH says what cannot be: %s: %j', async (field, value) => {
      const salon = await salonWithAppointment(world);
      const { status, body } = await salon.change(salon.id, { [field]: value });
      expect([status, body.code, Object.keys(body.errors)]).toEqual([422, 'validation_failed', [field]]);
      expect(await salon.shown()).toEqual(salon.appointment);
    });

    it('PATCH /status takes the status only', async () => {
      const salon = await salonWithAppointment(world);
      const path = `/appointments/${salon.id}/status`;
      const { body } = await world.api(salon.tenantId, 'PATCH', path, { status: 'completed', notes: 'x' });
      expect(body.data).toMatchObject({ status: 'completed', notes: null });
      const missing = await world.api(salon.tenantId, 'PATCH', path, { notes: 'x' });
      expect(missing.body.errors).toEqual({ status: ['The status field is required.'] });
    });
  });

  describe('text', () => {
    it.each([
      ['emoji', 'Fräulein 💇🏽‍♀️ 料理 \u202e'],
      ['line ends and quotes', 'a\r\nb\t"c" \\ \'d\''],
      ['white space alone', '   '],
      ['nothing', ''],
      ['5,000 characters', 'ä'.repeat(5_000)],
      ['what looks like JSON', '{"a": null}'],
    ])('%s comes back as it was sent, in the record, the list and the event', async (_name, notes) => {
      const salon = await salonWithAppointment(world, { notes });
      expect(salon.appointment.notes).toBe(notes);
      expect((await salon.shown()).notes).toBe(notes);
      const [event] = await world.events(salon.tenantId);
      expect(event?.data).toEqual(salon.appointment);
      const again = await salon.change(salon.id, { notes });
      expect(again.headers.etag).toBe('"1"');
    });

    it.each([
      ['notes', 'a\0b', 'The notes field must not contain NUL characters.'],
      ['notes', 'x'.repeat(5_001), 'The notes field must be at most 5000 characters.'],
      ['source', '\0', 'The source field must not contain NUL characters.'],
    ])('422 on %s', async (field, value, message) => {
      const salon = await salonWithAppointment(world);
      const booked = await salon.book({ appointment_time: '14:00', [field]: value });
      expect([booked.status, booked.body.errors]).toEqual([422, { [field]: [message] }]);
      if (field === 'notes')
        expect((await salon.change(salon.id, { notes: value })).body.errors).toEqual({ notes: [message] });
    });

    it('400: half of a surrogate pair, in notes or source', async () => {
      const salon = await openSalon(world);
      for (const field of [{ notes: '\udc00a' }, { source: 'b\ud800' }]) {
        const { status, body } = await salon.book(field);
        expect([status, body.code]).toEqual([400, 'invalid_json']);
      }
    });
  });
});

describe('the appointment’s record', () => {
  it.each([
    ['America/New_York', 'USD', '-04:00'],
    ['Asia/Kolkata', 'INR', '+05:30'],
    ['Pacific/Chatham', 'NZD', '+12:45'],
    ['UTC', 'EUR', '+00:00'],
  ])('is in the business’s own zone and currency: %s', async (timezone, currency, offset) => {
    const practice = await openPractice(world, world.newTenant({ timezone, currency }));
    const { body } = await practice.book({ appointment_time: '09:15' });
    expect(body.data).toMatchObject({
      timezone,
      currency,
      appointment_date: MONDAY,
      appointment_time: '09:15',
      end_time: '10:15',
      starts_at: `${MONDAY}T09:15:00${offset}`,
      ends_at: `${MONDAY}T10:15:00${offset}`,
    });
  });

  it('of two tenants in two zones, booked at once, each is in its own', async () => {
    const zones = ['Asia/Tokyo', 'America/Los_Angeles'];
    const practices = await Promise.all(
      zones.map((timezone) => openPractice(world, world.newTenant({ timezone }))),
    );
    const answers = await atOnce(20, async (index) => {
      const appointment_time = hhmm(540 + (Math.floor(index / 2) % 8) * 60);
      const appointment_date = index < 16 ? MONDAY : '2031-06-03';
      return practices[index % 2]?.book({ appointment_date, appointment_time });
    });
    expect(answers.map((answer) => [answer?.status, answer?.body.data.timezone])).toEqual(
      answers.map((_, index) => [201, zones[index % 2]]),
    );
    const offsets = answers.map((answer) => answer?.body.data.starts_at.slice(-6));
    expect(offsets).toEqual(answers.map((_, index) => ['+09:00', '-07:00'][index % 2]));
  });
});
