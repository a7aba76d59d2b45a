import { type Day, MAX_NOTES_EXCERPT, type Slot } from '@frontdesk/contracts';
import { asOperator } from '../as-operator.ts';
import { countQueries } from '../count-queries.ts';
import { ALL_DAY, everyDay, MONDAY, openBusinessOf, openPractice, openSalon } from '../salon.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';

let world: SchedulingWorld;
beforeAll(async () => {
  world = await startScheduling();
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => world.stop());

const CUT = { name: 'Cut', duration_minutes: 60, price: 10 };
const SPLIT = everyDay([
  { start: '09:00', end: '12:00' },
  { start: '13:00', end: '17:00' },
]);

const dayOf = async (tenantId: number, date = MONDAY): Promise<Day> => {
  const { status, body } = await asOperator(world, tenantId)('GET', `/days/${date}`);
  expect([status, body.message]).toEqual([200, undefined]);
  return body.data;
};
const columnOf = (day: Day, staffId: number | null | undefined) =>
  day.columns.find((column) => column.staff_id === staffId);
/** `H:i–H:i` of each stretch, on the clocks of the zone. */
const clock = (stretches: { starts_at: string; ends_at: string }[] = []) =>
  stretches.map(({ starts_at, ends_at }) => `${starts_at.slice(11, 16)}–${ends_at.slice(11, 16)}`);

describe('GET /days/{date}', () => {
  it('shows each staff member with hours, breaks, exceptions, time off and what is booked', async () => {
    const shop = await openBusinessOf(world, {
      services: [{ ...CUT, buffer_after_minutes: 15 }],
      staff: [
        { name: 'Anna', services: ['Cut'], hours: SPLIT },
        {
          name: 'Ben',
          services: ['Cut'],
          hours: SPLIT,
          time_off: [{ start: `${MONDAY}T15:00`, end: '2031-06-04T00:00', note: 'Course' }],
        },
        {
          name: 'Cem',
          services: ['Cut'],
          hours: SPLIT,
          exceptions: [{ date: MONDAY, hours: [{ start: '18:00', end: '20:00' }], note: 'Late shift' }],
        },
      ],
      exceptions: [{ date: MONDAY, hours: [{ start: '10:00', end: '16:00' }], note: 'Inventory' }],
    });
    const [anna, ben, cem] = shop.staffIds;
    const { body } = await shop.book({ staff_id: anna, notes: 'Fringe only' });
    const day = await dayOf(shop.tenantId);
    expect(day).toMatchObject({
      date: MONDAY,
      timezone: 'Europe/Berlin',
      starts_at: `${MONDAY}T00:00:00+02:00`,
      ends_at: '2031-06-03T00:00:00+02:00',
      slot_step_minutes: 15,
    });
    expect(day.columns.map(({ name }) => name)).toEqual(['Anna', 'Ben', 'Cem']);
    expect(columnOf(day, anna)).toEqual({
      staff_id: anna,
      name: 'Anna',
      color: null,
      picture_version: null,
      is_active: true,
      open: [
        { starts_at: `${MONDAY}T10:00:00+02:00`, ends_at: `${MONDAY}T12:00:00+02:00` },
        { starts_at: `${MONDAY}T13:00:00+02:00`, ends_at: `${MONDAY}T16:00:00+02:00` },
      ],
      time_off: [],
      exception: { is_of_business: true, note: 'Inventory' },
      holds: [],
      appointments: [
        {
          ...body.data,
          // Those of a busy day may have megabytes: a calendar has how they begin.
          service_name: 'Cut',
          staff_name: 'Anna',
          notes: null,
          notes_excerpt: 'Fringe only',
          buffer_before_minutes: 0,
          buffer_after_minutes: 15,
          arrived_at: null,
          cancellation_reason: null,
          customer_no_shows: 0,
          version: 1,
        },
      ],
    });
    expect(clock(columnOf(day, ben)?.open)).toEqual(['10:00–12:00', '13:00–15:00']);
    expect(columnOf(day, ben)?.time_off).toEqual([
      {
        starts_at: `${MONDAY}T15:00:00+02:00`,
        ends_at: '2031-06-03T00:00:00+02:00',
        note: 'Course',
        entry: {
          id: expect.any(Number),
          start: `${MONDAY}T15:00`,
          end: '2031-06-04T00:00',
          is_of_business: false,
        },
      },
    ]);
    expect(clock(columnOf(day, cem)?.open)).toEqual(['18:00–20:00']);
    expect(columnOf(day, cem)?.exception).toEqual({ is_of_business: false, note: 'Late shift' });
  });

  it('has how notes begin, however long they are; closures of the business are marked as such', async () => {
    const closed = { start: `${MONDAY}T16:00`, end: `${MONDAY}T17:00`, note: null };
    const shop = await openBusinessOf(world, {
      services: [CUT],
      staff: [{ name: 'Anna', services: ['Cut'], hours: SPLIT }],
      time_off: [closed],
    });
    const [anna] = shop.staffIds;
    for (const [notes, time] of [
      ['😀'.repeat(MAX_NOTES_EXCERPT), '09:00'],
      ['é'.repeat(MAX_NOTES_EXCERPT + 1), '10:00'],
      [null, '11:00'],
    ])
      expect((await shop.book({ staff_id: anna, notes, appointment_time: time })).status).toBe(201);
    const column = columnOf(await dayOf(shop.tenantId), anna);
    expect(column?.appointments.map(({ notes_excerpt }) => notes_excerpt)).toEqual([
      '😀'.repeat(MAX_NOTES_EXCERPT),
      `${'é'.repeat(MAX_NOTES_EXCERPT - 1)}…`,
      null,
    ]);
    expect(column?.time_off).toMatchObject([
      { entry: { start: closed.start, end: closed.end, is_of_business: true } },
    ]);
  });

  it('is open exactly where slots are offered', async () => {
    const shop = await openBusinessOf(world, {
      services: [{ ...CUT, duration_minutes: 15 }],
      staff: [{ name: 'Anna', services: ['Cut'], hours: SPLIT }],
      time_off: [{ start: `${MONDAY}T10:15`, end: `${MONDAY}T11:00`, note: null }],
    });
    const [column] = (await dayOf(shop.tenantId)).columns;
    const offered: Slot[] = (await shop.slots()).body.data;
    const quarters = (column?.open ?? []).flatMap(({ starts_at, ends_at }) => {
      const count = (Date.parse(ends_at) - Date.parse(starts_at)) / 900_000;
      return Array.from({ length: count }, (_, index) => Date.parse(starts_at) + index * 900_000);
    });
    expect(offered.map(({ starts_at }) => Date.parse(starts_at))).toEqual(quarters);
    expect(clock(column?.open)).toEqual(['09:00–10:15', '11:00–12:00', '13:00–17:00']);
  });

  it('holds all that touches the day: from the day before, by a buffer, and what was called off', async () => {
    const shop = await openBusinessOf(world, {
      services: [{ ...CUT, buffer_before_minutes: 30 }],
      staff: [{ name: 'Anna', services: ['Cut'], hours: everyDay(ALL_DAY) }],
    });
    const [anna] = shop.staffIds;
    const at = async (date: string, time: string) =>
      (await shop.book({ staff_id: anna, appointment_date: date, appointment_time: time })).body.data.id;
    const overnight = await at('2031-06-01', '23:30');
    const cancelled = await at(MONDAY, '10:00');
    await shop.cancel(cancelled);
    const missed = await at(MONDAY, '14:00');
    await shop.setStatus(missed, 'no_show');
    const early = await at('2031-06-03', '00:15');
    await at('2031-06-03', '09:00');
    const ids = async (date: string) =>
      columnOf(await dayOf(shop.tenantId, date), anna)?.appointments.map(({ id }) => id);
    expect(await ids(MONDAY)).toEqual([overnight, cancelled, missed, early]);
    expect(await ids('2031-06-01')).toEqual([overnight]);
  });

  it('lists those who can’t be booked any more as long as they have appointments, and only then', async () => {
    const salon = await openSalon(world);
    const send = asOperator(world, salon.tenantId);
    await salon.book({ staff_id: salon.anna });
    await salon.book({ staff_id: salon.ben });
    await send('PATCH', `/staff/${salon.anna}`, { is_active: false });
    await send('DELETE', `/staff/${salon.ben}`);
    const { columns } = await dayOf(salon.tenantId);
    expect(
      columns.map(({ name, is_active, open, appointments }) => [name, is_active, open, appointments.length]),
    ).toEqual([
      ['Anna', false, [], 1],
      ['Ben', false, [], 1],
    ]);
    expect((await dayOf(salon.tenantId, '2031-06-03')).columns).toEqual([]);
  });

  it('is the business’s own where it has no staff; what was booked with nobody stays to be seen', async () => {
    const practice = await openPractice(world);
    await practice.book();
    const shown = async () => (await dayOf(practice.tenantId)).columns;
    expect(await shown()).toMatchObject([
      { staff_id: null, name: null, is_active: true, appointments: [{ staff_name: null }] },
    ]);
    expect(clock((await shown())[0]?.open)).toEqual(['09:00–17:00']);
    const anna = { name: 'Anna', follows_business_hours: false };
    await asOperator(world, practice.tenantId)('POST', '/staff', anna);
    expect((await shown()).map(({ name, is_active, open }) => [name, is_active, open])).toEqual([
      ['Anna', true, []],
      [null, false, []],
    ]);
  });

  it('of a business that nobody has set up is empty', async () => {
    const { columns } = await dayOf(world.newTenant());
    expect(columns).toMatchObject([{ staff_id: null, is_active: true, open: [], appointments: [] }]);
  });

  it.each([
    ['Europe/Berlin', '2031-03-30', 23],
    ['Europe/Berlin', '2031-10-26', 25],
    ['Pacific/Apia', '2011-12-30', 0],
    ['Australia/Lord_Howe', '2031-10-05', 23.5],
  ])('in %s, %s has %s hours, and so have those who work all day', async (timezone, date, hours) => {
    const practice = await openPractice(world, world.newTenant({ timezone }), everyDay(ALL_DAY));
    const day = await dayOf(practice.tenantId, date);
    const lengths = (stretches: { starts_at: string; ends_at: string }[]) =>
      stretches.map(({ starts_at, ends_at }) => (Date.parse(ends_at) - Date.parse(starts_at)) / 3_600_000);
    expect(lengths([day])).toEqual([hours]);
    expect(lengths(day.columns[0]?.open ?? [])).toEqual(hours === 0 ? [] : [hours]);
  });

  it('knows the business’s today', async () => {
    const tenantId = world.newTenant({ timezone: 'Pacific/Auckland' });
    jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2031-06-01T23:00:00Z'));
    expect((await dayOf(tenantId, 'today')).date).toBe(MONDAY);
  });

  it.each(['2031-02-30', 'yesterday', '1899-12-31', '20310602'])('404: %s is no day', async (date) => {
    const { status, body } = await asOperator(world, world.newTenant())('GET', `/days/${date}`);
    expect([status, body.message]).toEqual([404, 'Day not found.']);
  });
});

describe('GET /weeks/{date}', () => {
  const weekOf = async (tenantId: number, date: string): Promise<Day[]> =>
    (await asOperator(world, tenantId)('GET', `/weeks/${date}`)).body.data;

  it('is each day from Monday to Sunday as it is alone, in four queries as a day is', async () => {
    const shop = await openBusinessOf(world, {
      services: [{ ...CUT, buffer_before_minutes: 30 }],
      staff: ['Anna', 'Ben'].map((name) => ({
        name,
        services: ['Cut'],
        hours: everyDay(ALL_DAY),
        time_off: [{ start: '2031-06-04T12:00', end: '2031-06-06T12:00', note: 'Course' }],
        exceptions: [{ date: '2031-06-07', hours: [{ start: '10:00', end: '12:00' }], note: 'Fair' }],
      })),
      exceptions: [{ date: '2031-06-08', hours: [], note: 'Whit Sunday' }],
    });
    const [anna, ben] = shop.staffIds;
    for (const [staff_id, appointment_date, appointment_time] of [
      [anna, MONDAY, '10:00'],
      [ben, '2031-06-03', '23:30'],
      [ben, '2031-06-07', '10:00'],
    ])
      await shop.book({ staff_id, appointment_date, appointment_time });
    await asOperator(world, shop.tenantId)('PATCH', `/staff/${ben}`, { is_active: false });
    const dates = ['02', '03', '04', '05', '06', '07', '08'].map((day) => `2031-06-${day}`);
    const alone = await Promise.all(dates.map((date) => dayOf(shop.tenantId, date)));
    for (const date of [MONDAY, '2031-06-08']) expect(await weekOf(shop.tenantId, date)).toEqual(alone);
    expect(await countQueries(() => dayOf(shop.tenantId))).toBe(4);
    expect(await countQueries(() => weekOf(shop.tenantId, MONDAY))).toBe(4);
  });

  it('ends where dates end', async () => {
    const days = await weekOf(world.newTenant(), '2999-12-31');
    expect(days.map(({ date }) => date)).toEqual(['2999-12-30', '2999-12-31']);
  });
});

describe('GET /appointments/{id}, internal', () => {
  it('shows one with its names; of another tenant it is unknown', async () => {
    const salon = await openSalon(world);
    const { data } = (await salon.book({ staff_id: salon.ben })).body;
    const shown = await asOperator(world, salon.tenantId)('GET', `/appointments/${data.id}`);
    expect(shown.body.data).toEqual({
      ...data,
      service_name: 'Haircut',
      staff_name: 'Ben',
      arrived_at: null,
      cancellation_reason: null,
      customer_no_shows: 0,
      buffer_before_minutes: 0,
      buffer_after_minutes: 0,
    });
    const other = await asOperator(world, (await openSalon(world)).tenantId)(
      'GET',
      `/appointments/${data.id}`,
    );
    expect([other.status, other.body.message]).toEqual([404, 'Appointment not found.']);
  });
});
