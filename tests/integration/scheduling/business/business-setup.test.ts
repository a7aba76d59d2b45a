import { atOnce, statusCounts } from '../answers.ts';
import { asOperator } from '../as-operator.ts';
import { everyDay, MONDAY, NINE_TO_FIVE, openSalon } from '../salon.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';
import { HOLIDAY, MORNING, OWNERS, openCalendar } from './calendar-owners.ts';

let world: SchedulingWorld;
beforeAll(async () => {
  world = await startScheduling();
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => world.stop());

describe('the calendars', () => {
  describe.each(OWNERS)('the calendar of %s', (owner) => {
    it('is shown with all seven days, exceptions by date and time off by start', async () => {
      const { send, path } = await openCalendar(world, owner);
      const empty = await send('GET', path);
      expect(empty.status).toBe(200);
      expect(empty.body.data).toEqual({ hours: everyDay(NINE_TO_FIVE), exceptions: [], time_off: [] });

      await send('PUT', `${path}/exceptions/2031-12-31`, { hours: MORNING, note: 'Short' });
      await send('PUT', `${path}/exceptions/2031-12-24`, { hours: [] });
      const later = { start: '2031-09-01T10:30', end: '2031-09-01T11:00', note: null };
      const second = await send('POST', `${path}/time-off`, later);
      const first = await send('POST', `${path}/time-off`, HOLIDAY);
      const { headers, body } = await send('GET', path);
      expect(body.data).toEqual({
        hours: everyDay(NINE_TO_FIVE),
        exceptions: [
          { date: '2031-12-24', hours: [], note: null },
          { date: '2031-12-31', hours: MORNING, note: 'Short' },
        ],
        time_off: [first.body.data, second.body.data],
      });
      expect([first.status, first.body.data]).toEqual([201, { id: expect.any(Number), ...HOLIDAY }]);
      expect(headers.etag).toBe(first.headers.etag);
    });

    it('new hours replace all there were, without their breaks; slots obey', async () => {
      const { send, path, slotTimes } = await openCalendar(world, owner);
      const { status, body } = await send('PUT', `${path}/hours`, {
        hours: { monday: [{ start: '09:00', end: '12:00' }], friday: NINE_TO_FIVE },
        breaks: { monday: [{ start: '10:00', end: '10:45' }], friday: [{ start: '12:00', end: '13:00' }] },
      });
      expect(status).toBe(200);
      expect(body.data.hours).toEqual({
        ...everyDay([]),
        monday: [
          { start: '09:00', end: '10:00' },
          { start: '10:45', end: '12:00' },
        ],
        friday: [
          { start: '09:00', end: '12:00' },
          { start: '13:00', end: '17:00' },
        ],
      });
      expect((await send('GET', path)).body).toEqual(body);
      expect(await slotTimes()).toEqual(['09:00', '10:45', '11:00']);
    });

    it('an exception stands for its weekday, time off takes its stretch away, until each is removed', async () => {
      const { send, path, slotTimes } = await openCalendar(world, owner);
      const usual = await slotTimes();
      const closed = await send('PUT', `${path}/exceptions/${MONDAY}`, { hours: [], note: null });
      expect([closed.status, closed.body.data.exceptions]).toEqual([
        200,
        [{ date: MONDAY, hours: [], note: null }],
      ]);
      expect(await slotTimes()).toEqual([]);
      await send('PUT', `${path}/exceptions/${MONDAY}`, { hours: [{ start: '09:00', end: '10:00' }] });
      expect(await slotTimes()).toEqual(['09:00']);
      const open = await send('DELETE', `${path}/exceptions/${MONDAY}`);
      expect([open.status, open.body.data.exceptions]).toEqual([200, []]);
      expect(await slotTimes()).toEqual(usual);

      const { id } = (await send('POST', `${path}/time-off`, HOLIDAY)).body.data;
      expect(await slotTimes()).toEqual([]);
      expect((await send('DELETE', `${path}/time-off/${id}`)).body.data.time_off).toEqual([]);
      expect(await slotTimes()).toEqual(usual);
    });

    it('each change is one version; what changes nothing is none', async () => {
      const { send, path } = await openCalendar(world, owner);
      const { headers } = await send('GET', path);
      const start = Number(JSON.parse(headers.etag as string));
      const version = async (answer: ReturnType<typeof send>) =>
        Number(JSON.parse((await answer).headers.etag as string)) - start;
      const exception = { hours: MORNING, note: 'Short' };
      expect(await version(send('PUT', `${path}/hours`, { hours: everyDay(NINE_TO_FIVE) }))).toBe(0);
      expect(await version(send('PUT', `${path}/hours`, { hours: everyDay(MORNING) }))).toBe(1);
      expect(await version(send('PUT', `${path}/exceptions/2031-12-24`, exception))).toBe(2);
      expect(await version(send('PUT', `${path}/exceptions/2031-12-24`, exception))).toBe(2);
      expect(await version(send('PUT', `${path}/exceptions/2031-12-24`, { hours: MORNING }))).toBe(3);
      expect(await version(send('POST', `${path}/time-off`, HOLIDAY))).toBe(4);
      const record = path === '/calendar' ? '/booking-settings' : path.replace('/calendar', '');
      expect(await version(send('GET', record))).toBe(4);
    });

    it('time off with an Idempotency-Key is entered once, however often it is sent', async () => {
      // None of them waits for too long, however long that takes.
      jest.spyOn(Date, 'now').mockReturnValue(Date.now());
      const { send, path } = await openCalendar(world, owner);
      const answers = await atOnce(3, () =>
        send('POST', `${path}/time-off`, HOLIDAY, { 'idempotency-key': 'once' }),
      );
      expect(statusCounts(answers)).toEqual({ 201: 3 });
      expect((await send('GET', path)).body.data.time_off).toHaveLength(1);
    });
  });

  describe('calendars side by side', () => {
    it('entries are found only in the calendar that they are in', async () => {
      const { anna, ben, tenantId } = await openSalon(world);
      const send = asOperator(world, tenantId);
      const { id } = (await send('POST', `/staff/${anna}/calendar/time-off`, HOLIDAY)).body.data;
      await send('PUT', `/staff/${anna}/calendar/exceptions/2031-12-24`, { hours: [] });
      for (const other of [`/staff/${ben}/calendar`, '/calendar']) {
        expect((await send('DELETE', `${other}/time-off/${id}`)).status).toBe(404);
        expect((await send('DELETE', `${other}/exceptions/2031-12-24`)).status).toBe(404);
        expect((await send('GET', other)).body.data).toMatchObject({ exceptions: [], time_off: [] });
      }
    });

    it.each(['0', 'x', '999999999'])('404: no calendar of staff member %s', async (id) => {
      const { tenantId } = await openSalon(world);
      const { status, body } = await asOperator(world, tenantId)('GET', `/staff/${id}/calendar`);
      expect([status, body.message]).toEqual([404, 'Staff member not found.']);
    });

    it('a business that nobody has set up yet has an empty one, and can be given hours', async () => {
      const send = asOperator(world, world.newTenant());
      const { headers, body } = await send('GET', '/calendar');
      expect([headers.etag, body.data]).toEqual([
        '"1"',
        { hours: everyDay([]), exceptions: [], time_off: [] },
      ]);
      const written = await send(
        'PUT',
        '/calendar/hours',
        { hours: everyDay(MORNING) },
        { 'if-match': '"1"' },
      );
      expect([written.status, written.headers.etag]).toEqual([200, '"2"']);
    });
  });
});

describe('GET and PATCH /booking-settings', () => {
  const PATH = '/booking-settings';
  const DEFAULTS = {
    booking_policy: 'open',
    slot_step_minutes: 15,
    minimum_notice_minutes: 0,
    horizon_days: null,
  };

  it('a business that nobody has set up yet has the defaults, the same as once it is begun', async () => {
    const send = asOperator(world, world.newTenant());
    const unborn = await send('GET', PATH);
    expect([unborn.status, unborn.headers.etag, unborn.body.data]).toEqual([200, '"1"', DEFAULTS]);
    const begun = await send('PATCH', PATH, {});
    expect([begun.status, begun.headers.etag, begun.body.data]).toEqual([200, '"1"', DEFAULTS]);
    expect((await send('GET', PATH)).body.data).toEqual(DEFAULTS);
  });

  it('what is named changes, the rest stays; a change that changes nothing is no new version', async () => {
    const send = asOperator(world, world.newTenant());
    const first = await send('PATCH', PATH, { slot_step_minutes: 20, horizon_days: 60 });
    expect([first.headers.etag, first.body.data]).toEqual([
      '"2"',
      { ...DEFAULTS, slot_step_minutes: 20, horizon_days: 60 },
    ]);
    const again = await send('PATCH', PATH, { slot_step_minutes: 20 });
    expect([again.headers.etag, again.body.data]).toEqual(['"2"', first.body.data]);
    const unbounded = await send('PATCH', PATH, { horizon_days: null });
    expect(unbounded.body.data).toEqual({ ...DEFAULTS, slot_step_minutes: 20 });
  });

  it('bookings obey from the next request on', async () => {
    const salon = await openSalon(world);
    await asOperator(world, salon.tenantId)('PATCH', PATH, { booking_policy: 'slots_only' });
    expect((await salon.book({ appointment_time: '10:05' })).body.errors).toHaveProperty('appointment_time');
  });

  it('412: another version than the one in If-Match, and nothing happens', async () => {
    const send = asOperator(world, world.newTenant());
    const patch = { slot_step_minutes: 30 };
    expect((await send('PATCH', PATH, patch, { 'if-match': '"7"' })).status).toBe(412);
    expect((await send('GET', PATH)).body.data).toEqual(DEFAULTS);
    expect((await send('PATCH', PATH, patch, { 'if-match': '"1"' })).headers.etag).toBe('"2"');
  });

  it.each([
    ['booking_policy', 'closed'],
    ['slot_step_minutes', 0],
    ['slot_step_minutes', 7.5],
    ['minimum_notice_minutes', -1],
    ['horizon_days', 0],
    ['horizon_days', '30'],
  ])('422 on %s: %j', async (field, value) => {
    const send = asOperator(world, world.newTenant());
    const { status, body } = await send('PATCH', PATH, { [field]: value });
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
  });

  it('ten changes at once are ten versions', async () => {
    const send = asOperator(world, world.newTenant());
    const answers = await atOnce(10, (index) => send('PATCH', PATH, { slot_step_minutes: index + 1 }));
    expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(10);
    expect((await send('GET', PATH)).headers.etag).toBe('"11"');
  });
});

describe('GET /booking-policy', () => {
  const policyOf = async (send: ReturnType<typeof asOperator>) =>
    (await send('GET', '/booking-policy')).body.data;

  it('is chosen by whoever states it, the one by default too, and by nothing else', async () => {
    const send = asOperator(world, world.newTenant());
    expect(await policyOf(send)).toEqual({ booking_policy: 'open', is_chosen: false });
    await send('PATCH', '/booking-settings', { slot_step_minutes: 30 });
    expect(await policyOf(send)).toEqual({ booking_policy: 'open', is_chosen: false });
    const { headers } = await send('PATCH', '/booking-settings', { booking_policy: 'open' });
    expect(await policyOf(send)).toEqual({ booking_policy: 'open', is_chosen: true });
    const again = await send('PATCH', '/booking-settings', { booking_policy: 'open' });
    expect(again.headers.etag).toBe(headers.etag);
  });

  it('an import chooses what it changes, and nothing by stating what is so', async () => {
    const tenantId = world.newTenant();
    const send = asOperator(world, tenantId);
    const state = (booking_policy: string) =>
      world.importBusiness(tenantId, { settings: { booking_policy } });
    await state('open');
    expect(await policyOf(send)).toEqual({ booking_policy: 'open', is_chosen: false });
    await state('slots_only');
    await state('open');
    expect(await policyOf(send)).toEqual({ booking_policy: 'open', is_chosen: true });
  });

  it('slots_only is chosen, also where a process of the release before has saved it', async () => {
    const tenantId = world.newTenant();
    await world.sql(
      tenantId,
      `insert into booking_settings (tenant_id, booking_policy) values ($tenantId, 'slots_only')`,
    );
    expect(await policyOf(asOperator(world, tenantId))).toEqual({
      booking_policy: 'slots_only',
      is_chosen: true,
    });
  });
});
