import { Client } from 'pg';
import { loadAppointments } from '../../../support/appointments-data.ts';
import { eventually, operator } from '../../../support/index.ts';
import { readingsOf } from '../../../support/plans.ts';
import { ALL_DAY, everyDay, MONDAY, openPractice, openSalon } from '../salon.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';

let world: SchedulingWorld;
beforeAll(async () => {
  world = await startScheduling();
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => world.stop());

const pathOf = (tenant: number, query = '') => `/internal/tenants/${tenant}/statistics/appointments${query}`;
const statisticsOf = async (tenant: number, date?: string) => {
  const url = pathOf(tenant, date ? `?date=${date}` : '');
  const answer = await world.send('internal', operator, { method: 'GET', url });
  expect([answer.status, answer.body.errors]).toEqual([200, undefined]);
  return answer.body.data;
};
const NONE = { scheduled: 0, completed: 0, cancelled: 0, no_show: 0 };

it('shows a day’s appointments by status, the next ones, what is free, and the days around', async () => {
  const salon = await openSalon(world);
  const at = (appointment_time: string, fields: object = {}) =>
    salon.book({ appointment_time, staff_id: salon.anna, ...fields });
  await at('14:00');
  await at('10:00');
  const { body: done } = await at('11:00');
  await salon.setStatus(done.data.id, 'completed');
  const { body: off } = await at('16:00');
  await salon.cancel(off.data.id);
  await at('10:00', { appointment_date: '2031-06-05', staff_id: salon.ben });

  const shown = await statisticsOf(salon.tenantId, MONDAY);
  expect(shown).toMatchObject({
    date: MONDAY,
    timezone: 'Europe/Berlin',
    today: { scheduled: 2, completed: 1, cancelled: 1, no_show: 0 },
    // Two people for eight hours each; three hours are taken.
    working_minutes: 960,
    free_minutes: 780,
  });
  expect(shown.next).toEqual([
    {
      id: expect.any(Number),
      starts_at: '2031-06-02T10:00:00+02:00',
      appointment_time: '10:00',
      end_time: '11:00',
      service: 'Haircut',
      staff: 'Anna',
    },
    expect.objectContaining({ appointment_time: '14:00' }),
  ]);
  expect(shown.days).toHaveLength(15);
  expect([shown.days[0].date, shown.days[14].date]).toEqual(['2031-05-26', '2031-06-09']);
  expect(shown.days[7]).toEqual({ date: MONDAY, ...shown.today });
  expect(shown.days[10]).toEqual({ date: '2031-06-05', ...NONE, scheduled: 1 });
});

it.each([
  // A day of 23 hours, one of 25.
  ['Europe/Berlin', '2031-03-30', 23],
  ['Europe/Berlin', '2031-10-26', 25],
  ['America/New_York', '2031-03-09', 23],
  ['Asia/Kolkata', '2031-03-30', 24],
])('a day of %s is its own: %s has %s hours', async (timezone, date, hours) => {
  const practice = await openPractice(world, world.newTenant({ timezone }), everyDay(ALL_DAY));
  const on = Temporal.PlainDate.from(date);
  const book = (appointment_date: string, appointment_time: string) =>
    practice.book({ appointment_date, appointment_time });
  for (const [day, time] of [
    [on.subtract({ days: 1 }), '23:00'],
    [on, '00:00'],
    [on, '23:00'],
    [on.add({ days: 1 }), '00:00'],
  ] as const)
    expect((await book(day.toString(), time)).status).toBe(201);
  const shown = await statisticsOf(practice.tenantId, date);
  expect(shown.today).toEqual({ ...NONE, scheduled: 2 });
  expect(shown.next.map(({ appointment_time }: { appointment_time: string }) => appointment_time)).toEqual([
    '00:00',
    '23:00',
  ]);
  expect([shown.working_minutes, shown.free_minutes]).toEqual([hours * 60, (hours - 2) * 60]);
  expect([shown.days[6].scheduled, shown.days[8].scheduled]).toEqual([1, 1]);
});

it('goes by the present zone, whichever the business was in when the appointment was booked', async () => {
  const id = world.newTenant({ timezone: 'Asia/Tokyo' });
  const practice = await openPractice(world, id, everyDay(ALL_DAY));
  await practice.book({ appointment_date: '2031-06-02', appointment_time: '03:00' });
  expect((await statisticsOf(id, '2031-06-02')).today.scheduled).toBe(1);
  await world.sql(id, `update tenants set timezone = 'America/New_York' where tenant_id = $tenantId`);
  // A process knows of it within seconds.
  await eventually(async () =>
    expect(await statisticsOf(id, '2031-06-01')).toMatchObject({ today: { scheduled: 1 } }),
  );
});

it('what is over is neither next nor free', async () => {
  const practice = await openPractice(world);
  await practice.book({ appointment_date: '2026-01-05', appointment_time: '10:00' });
  expect(await statisticsOf(practice.tenantId, '2026-01-05')).toMatchObject({
    today: { scheduled: 1 },
    next: [],
    working_minutes: 480,
    free_minutes: 0,
  });
});

it('of a business without anything yet: today, with nothing in it', async () => {
  const now = Temporal.Now.zonedDateTimeISO('Asia/Tokyo');
  jest.spyOn(Date, 'now').mockReturnValue(now.epochMilliseconds);
  const tenant = world.newTenant({ timezone: 'Asia/Tokyo' });
  const shown = await statisticsOf(tenant);
  expect(shown).toMatchObject({
    date: now.toPlainDate().toString(),
    today: NONE,
    next: [],
    working_minutes: 0,
    free_minutes: 0,
  });
  expect(shown.days).toHaveLength(15);
});

it('404 for another tenant’s admin and for a tenant that does not exist, 422 for what is no date', async () => {
  const [own, other] = [world.newTenant(), world.newTenant()];
  const admin = { issuer: 'settings-ui', role: 'admin', tenantId: own } as const;
  const get = (caller: typeof admin | typeof operator, url: string) =>
    world.send('internal', caller, { method: 'GET', url });
  expect((await get(admin, pathOf(own))).status).toBe(200);
  expect((await get(admin, pathOf(other))).status).toBe(404);
  expect((await get(operator, pathOf(2 ** 50))).status).toBe(404);
  expect((await get(admin, pathOf(own, '?date=yesterday'))).status).toBe(422);
});

it('an index stands behind all that is read of the appointments', async () => {
  const client = new Client({ connectionString: world.config.DATABASE_URL });
  await client.connect();
  try {
    await loadAppointments(client, 200, 60_000);
    const readings = await readingsOf(client, 'appointments', () => statisticsOf(100));
    expect(readings.filter(({ index }) => index === null)).toEqual([]);
    expect(new Set(readings.map(({ statement }) => statement))).toEqual(
      new Set(['appointments_by_day', 'appointments_next', 'busy_find']),
    );
  } finally {
    await client.end();
  }
});
