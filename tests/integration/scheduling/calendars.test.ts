import { asOperator, statusCounts } from './as-operator.ts';
import { everyDay, MONDAY, NINE_TO_FIVE, openPractice, openSalon } from './salon.ts';
import { type SchedulingWorld, startScheduling } from './scheduling-world.ts';

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling();
});

afterAll(() => world.stop());

const MORNING = [{ start: '09:00', end: '12:00' }];
const HOLIDAY = { start: '2031-06-02T00:00', end: '2031-06-09T00:00', note: 'Holiday' };

/** The same routes for the business itself and for a member of staff: `path` is where the calendar is. */
const owners = [
  ['the business', async () => ({ ...(await openPractice(world)), path: '/calendar' })],
  [
    'a member of staff',
    async () => {
      const salon = await openSalon(world);
      return { ...salon, path: `/staff/${salon.anna}/calendar` };
    },
  ],
] as const;

describe.each(owners)('the calendar of %s', (_owner, open) => {
  async function openCalendar() {
    const business = await open();
    const send = asOperator(world, business.tenantId);
    const slotTimes = async () => {
      const [staffId] = business.staffIds;
      const staff = staffId === undefined ? '' : `&staff_id=${staffId}`;
      const { body } = await world.api(
        business.tenantId,
        'GET',
        `/appointments/slots?date=${MONDAY}&service_id=${business.serviceIds[0]}${staff}`,
      );
      return body.data.map(({ time }: { time: string }) => time);
    };
    return { ...business, send, slotTimes };
  }

  it('is shown with all seven days, exceptions by date and time off by start', async () => {
    const { send, path } = await openCalendar();
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
    const { send, path, slotTimes } = await openCalendar();
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
    const { send, path, slotTimes } = await openCalendar();
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
    const { send, path } = await openCalendar();
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
    const owner = path === '/calendar' ? '/booking-settings' : path.replace('/calendar', '');
    expect(await version(send('GET', owner))).toBe(4);
  });

  it('412: another version than the one in If-Match, and nothing happens', async () => {
    const { send, path } = await openCalendar();
    const { id } = (await send('POST', `${path}/time-off`, HOLIDAY)).body.data;
    await send('PUT', `${path}/exceptions/2031-12-24`, { hours: [] });
    const before = await send('GET', path);
    const stale = { 'if-match': '"1"' };
    const answers = [
      await send('PUT', `${path}/hours`, { hours: {} }, stale),
      await send('PUT', `${path}/exceptions/2031-12-25`, { hours: [] }, stale),
      await send('DELETE', `${path}/exceptions/2031-12-24`, undefined, stale),
      await send('POST', `${path}/time-off`, HOLIDAY, stale),
      await send('DELETE', `${path}/time-off/${id}`, undefined, stale),
    ];
    expect(statusCounts(answers)).toEqual({ 412: 5 });
    const after = await send('GET', path);
    expect([after.headers.etag, after.body]).toEqual([before.headers.etag, before.body]);
    const fresh = { 'if-match': before.headers.etag as string };
    expect((await send('PUT', `${path}/hours`, { hours: {} }, fresh)).status).toBe(200);
  });

  it('of ten who have seen one version and change it at once, one does', async () => {
    const { send, path } = await openCalendar();
    const seen = { 'if-match': (await send('GET', path)).headers.etag as string };
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        send('PUT', `${path}/exceptions/2031-12-${index + 10}`, { hours: [] }, seen),
      ),
    );
    expect(statusCounts(answers)).toEqual({ 200: 1, 412: 9 });
    expect((await send('GET', path)).body.data.exceptions).toHaveLength(1);
  });

  it('time off with an Idempotency-Key is entered once, however often it is sent', async () => {
    const { send, path } = await openCalendar();
    const answers = await Promise.all(
      [1, 2, 3].map(() => send('POST', `${path}/time-off`, HOLIDAY, { 'idempotency-key': 'once' })),
    );
    expect(statusCounts(answers)).toEqual({ 201: 3 });
    expect((await send('GET', path)).body.data.time_off).toHaveLength(1);
  });

  it('422 naming the field, and nothing is stored', async () => {
    const { send, path } = await openCalendar();
    const before = (await send('GET', path)).body;
    const noon = [{ start: '12:00', end: '13:00' }];
    const cases = [
      [send('PUT', `${path}/hours`, {}), 'hours'],
      [send('PUT', `${path}/hours`, { hours: { someday: [] } }), 'hours'],
      [
        send('PUT', `${path}/hours`, { hours: { monday: MORNING }, breaks: { monday: noon } }),
        'breaks.monday',
      ],
      [send('PUT', `${path}/hours`, { hours: {}, breaks: { monday: noon } }), 'breaks.monday'],
      [send('PUT', `${path}/exceptions/2031-12-24`, {}), 'hours'],
      [
        send('PUT', `${path}/exceptions/2031-12-24`, { hours: [{ start: '9', end: '10:00' }] }),
        'hours.0.start',
      ],
      [send('POST', `${path}/time-off`, { ...HOLIDAY, end: HOLIDAY.start }), 'end'],
      [send('POST', `${path}/time-off`, { ...HOLIDAY, start: '2031-02-30T00:00' }), 'start'],
      [send('POST', `${path}/time-off`, { ...HOLIDAY, start: '2031-06-02T00:00:00Z' }), 'start'],
      [send('POST', `${path}/time-off`, { ...HOLIDAY, note: 'a\0' }), 'note'],
    ] as const;
    for (const [answer, field] of cases) {
      const { status, body } = await answer;
      expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
    }
    expect((await send('GET', path)).body).toEqual(before);
  });

  it('hours across midnight are refused with the way to enter them', async () => {
    const { send, path } = await openCalendar();
    const { body } = await send('PUT', `${path}/hours`, {
      hours: { saturday: [{ start: '20:00', end: '02:00' }] },
    });
    expect(body.errors['hours.saturday.0'][0]).toContain('until 24:00, and from 00:00 on the next day');
  });

  it('404 for what is not in it', async () => {
    const { send, path } = await openCalendar();
    for (const [what, message] of [
      ['/exceptions/2031-12-24', 'Exception not found.'],
      ['/exceptions/2031-02-30', 'Exception not found.'],
      ['/exceptions/tomorrow', 'Exception not found.'],
      ['/time-off/999999999', 'Time off not found.'],
      ['/time-off/0', 'Time off not found.'],
    ]) {
      const { status, body } = await send('DELETE', `${path}${what}`);
      expect([status, body.message]).toEqual([404, message]);
    }
  });

  it('holds a thousand entries of a kind, as many as can be imported again', async () => {
    const { send, path, tenantId, staffIds } = await openCalendar();
    const time_off = Array.from({ length: 1_000 }, () => HOLIDAY);
    await world.importBusiness(
      tenantId,
      staffIds.length > 0 ? { staff: [{ name: 'Anna', services: [], time_off }] } : { time_off },
    );
    const { status, body } = await send('POST', `${path}/time-off`, HOLIDAY);
    expect([status, Object.keys(body.errors)]).toEqual([422, ['time_off']]);
    expect((await send('GET', path)).body.data.time_off).toHaveLength(1_000);
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
    expect([headers.etag, body.data]).toEqual(['"1"', { hours: everyDay([]), exceptions: [], time_off: [] }]);
    const written = await send('PUT', '/calendar/hours', { hours: everyDay(MORNING) }, { 'if-match': '"1"' });
    expect([written.status, written.headers.etag]).toEqual([200, '"2"']);
  });
});
