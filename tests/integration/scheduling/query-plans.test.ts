import { projectionState } from '@frontdesk/database';
import { Client } from 'pg';
import { rewriteAppointments } from '../../../services/scheduling/src/appointments/appointment.repository.ts';
import { saveCustomers } from '../../../services/scheduling/src/customers/customer.repository.ts';
import { everyQuery } from '../../support/appointment-queries.ts';
import { idOf, loadAppointments } from '../../support/appointments-data.ts';
import { expectIndexes } from '../../support/expect-indexes.ts';
import { operator } from '../../support/index.ts';
import { readingsOf, rowsRead } from '../../support/plans.ts';
import { type SchedulingWorld, startScheduling } from './scheduling-world.ts';

const TENANTS = 200;
const APPOINTMENTS = 60_000;
const TENANT = 100;
const TABLES = [
  'appointments',
  'appointment_history',
  'customers',
  'working_hours',
  'dated_hours',
  'time_off',
  'staff_pictures',
];
/** Ten dates and ten stretches of time off for everyone, and a picture; two changes of each appointment. */
const BESIDE = [
  `insert into staff_pictures (tenant_id, staff_id, type, bytes, version) select tenant_id, id, 'image/png', '', 1 from staff`,
  `insert into appointment_history (tenant_id, appointment_id, at, role, changes)
   select tenant_id, id, now(), 'admin', '[]' from appointments cross join generate_series(1, 2) n`,
  `insert into dated_hours (tenant_id, resource_id, date, spans)
   select tenant_id, id, date '2030-01-01' + n, '[]' from staff cross join generate_series(1, 10) n`,
  `insert into time_off (tenant_id, resource_id, starts_at, ends_at)
   select tenant_id, id, date '2030-02-01' + n, date '2030-02-02' + n from staff cross join generate_series(1, 10) n`,
  'vacuum analyze',
];

let world: SchedulingWorld;
let client: Client;

beforeAll(async () => {
  world = await startScheduling();
  client = new Client({ connectionString: world.config.DATABASE_URL });
  await client.connect();
  await loadAppointments(client, TENANTS, APPOINTMENTS);
  for (const statement of BESIDE) await client.query(statement);
});

afterAll(async () => {
  await client.end();
  await world.stop();
});

it('what the tables were filled with is all that a process over them asks for: no snapshot of crm is read', async () => {
  expect(await projectionState(world.database, 'customers').reasonToFill()).toBeNull();
});

it('an index stands behind everything that is read of appointments, customers and calendars', async () => {
  const send = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: object) => {
    const answer = url.startsWith('/internal/')
      ? await world.send('internal', operator, { method, url, body })
      : await world.api(TENANT, method, url.replace('/api/v1', ''), body);
    expect([url, answer.status]).toEqual([url, method === 'POST' ? 201 : 200]);
    return answer.body.data;
  };
  const sent = [
    'busy_find',
    'catalogue_find_with_busy',
    'booking_insert',
    'booking_preferred',
    'booking_move',
    'appointment_find_named',
    'appointment_history_add',
    'appointment_history_list',
    'appointment_mark',
    'appointments_rewrite_customer',
    'day_appointments',
    'days_version',
    'appointments_-starts_at',
    'appointments_count_status',
  ];
  await expectIndexes(client, { tables: TABLES, sent }, async () => {
    await everyQuery(TENANT, send);
    for (const path of [
      'staff',
      'staff-hours',
      'services',
      'statistics/appointments',
      'bookability',
      'appointments',
    ])
      await send('GET', `/internal/tenants/${TENANT}/${path}`);
    const id = (await client.query('select min(id) as id from appointments where tenant_id = $1', [TENANT]))
      .rows[0].id;
    const appointment = `/internal/tenants/${TENANT}/appointments/${id}`;
    await send('PATCH', appointment, { status: 'completed', arrived: true });
    await send('PATCH', appointment, { arrived: false });
    for (const path of [appointment, `${appointment}/history`]) await send('GET', path);
    await saveCustomers(world.database.system, [
      { tenant_id: TENANT, aggregate_id: 7, aggregate_version: 2 },
    ]);
    const [one, other] = [idOf(TENANT, 3), idOf(TENANT, 4)];
    await world.database
      .forTenant(TENANT)
      .transaction((tx) => rewriteAppointments(tx, { id: one, mergedInto: other }));
  });
});

it('an index stands behind holds, and what has ended is not read', async () => {
  await client.query(
    `insert into appointments (tenant_id, service_id, staff_id, starts_at, ends_at, occupied, local_date, timezone, duration_minutes,
       buffer_before_minutes, buffer_after_minutes, price_minor, currency, status, source, held_until, holder)
     select tenant_id, service_id, staff_id, starts_at, ends_at, occupied, local_date, timezone, duration_minutes,
       buffer_before_minutes, buffer_after_minutes, price_minor, currency, 'expired', '', now() - n * interval '1 s', 'key:1'
     from (select * from appointments where tenant_id = any($1) limit 1) one cross join generate_series(1, 3000) n`,
    [[TENANT + 1]],
  );
  const send = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) =>
    world.api(TENANT, method, path, body);
  const place = (appointment_time: string) => ({
    service_id: idOf(TENANT, 1),
    appointment_date: '2035-03-05',
    appointment_time,
  });
  const sent = [
    'holds_count',
    'holds_delete_old',
    'hold_insert',
    'hold_find',
    'hold_lock',
    'hold_book',
    'hold_release',
    'day_holds',
  ];
  await expectIndexes(client, { tables: TABLES, sent }, async () => {
    const first = await send('POST', '/holds', place('10:00'));
    const second = await send('POST', '/holds', place('15:00'));
    expect([first.status, second.status]).toEqual([201, 201]);
    await send('GET', `/holds/${first.body.data.id}`);
    const customer_id = idOf(TENANT, 1);
    const booked = await send('POST', `/holds/${first.body.data.id}/appointment`, { customer_id });
    expect(booked.status).toBe(201);
    expect((await send('DELETE', `/holds/${second.body.data.id}`)).status).toBe(200);
    await world.send('internal', operator, {
      method: 'GET',
      url: `/internal/tenants/${TENANT}/days/2035-03-05`,
    });
  });
  const refused = () => world.api(TENANT + 1, 'GET', '/appointments?status=completed');
  for (const { statement, rows } of await rowsRead(client, 'generic', refused))
    expect([statement, rows < 3_000]).toEqual([statement, true]);
});

it('the appointments of a customer are found by the customer', async () => {
  const list = () => world.api(TENANT, 'GET', `/appointments?customer_id=${idOf(TENANT, 1)}`);
  const indexes = (await readingsOf(client, 'appointments', list)).map(({ index }) => index);
  expect(new Set(indexes)).toEqual(new Set(['appointments_of_customer']));
});

it('what is coming is entered where it begins, of a customer and of a business, and what is not goes by the customer', async () => {
  const customer_id = idOf(TENANT, 2);
  await client.query(
    `insert into appointments (tenant_id, customer_id, service_id, staff_id, starts_at, ends_at, occupied, local_date, duration_minutes,
       buffer_before_minutes, buffer_after_minutes, timezone, price_minor, currency, status, source, cancelled_at)
     select tenant_id, $2, service_id, staff_id, at, at + interval '1 hour', tstzrange(at, at + interval '1 hour'), at::date, 60,
       0, 0, timezone, price_minor, currency, case when n > 0 then 'cancelled' else 'no_show' end, source, case when n > 0 then now() end
     from (select * from appointments where tenant_id = $1 limit 1) one
     cross join generate_series(-2000, 20) n cross join lateral (select now() + n * interval '1 day' as at) days`,
    [TENANT, customer_id],
  );
  await client.query('vacuum analyze appointments');
  const list = (query: object) => {
    const params = new URLSearchParams({ sort: 'starts_at', per_page: '10', ...query });
    const url = `/internal/tenants/${TENANT}/appointments?${params}`;
    return world.send('internal', operator, { method: 'GET', url });
  };
  const coming = { customer_id: String(customer_id), is_coming: 'true' };
  const readMore = async (kind: 'custom' | 'generic', most: number, query: object) =>
    (await rowsRead(client, kind, () => list(query))).filter(
      // A profile that has expired is read again, whatever is listed.
      ({ statement, rows }) => statement !== 'tenants_find' && rows > most,
    );
  for (const kind of ['custom', 'generic'] as const) {
    expect(await readMore(kind, 40, coming)).toEqual([]);
    // All that is coming for the business is counted; what has been is not read.
    expect(await readMore(kind, 400, { is_coming: 'true' })).toEqual([]);
  }
  const indexes = await readingsOf(client, 'appointments', () =>
    list({ ...coming, is_coming: 'false', sort: '-starts_at' }),
  );
  expect(new Set(indexes.map(({ index }) => index))).toEqual(new Set(['appointments_of_customer']));
});

it('no-shows of a week’s customers are counted by an index of their own, some of each, however many there are', async () => {
  const { rows } = await client.query(
    `select customer_id, local_date::text as date from appointments
     where tenant_id = $1 and status = 'scheduled' order by starts_at limit 1`,
    [TENANT],
  );
  const { customer_id, date } = rows[0];
  await client.query(
    `insert into appointments (tenant_id, customer_id, service_id, staff_id, starts_at, ends_at, occupied, local_date, duration_minutes,
       buffer_before_minutes, buffer_after_minutes, timezone, price_minor, currency, status, source)
     select tenant_id, $2, service_id, staff_id, at, at + interval '1 hour', tstzrange(at, at + interval '1 hour'), at::date, 60,
       0, 0, timezone, price_minor, currency, 'no_show', source
     from (select * from appointments where tenant_id = $1 limit 1) one
     cross join generate_series(1000, 6000) n cross join lateral (select now() - n * interval '1 day' as at) days`,
    [TENANT, customer_id],
  );
  await client.query('vacuum analyze appointments');
  const week = () =>
    world.send('internal', operator, { method: 'GET', url: `/internal/tenants/${TENANT}/weeks/${date}` });
  const indexes = (await readingsOf(client, 'appointments', week)).filter(
    ({ statement }) => statement === 'day_appointments',
  );
  for (const kind of ['custom', 'generic'] as const) {
    expect(indexes).toContainEqual({ statement: 'day_appointments', kind, index: 'appointments_no_shows' });
    const read = await rowsRead(client, kind, week);
    expect(read.filter(({ rows: count }) => count > 2_000)).toEqual([]);
  }
});

it('a query without an index would be noticed', async () => {
  const slow = () =>
    client.query({ name: 'slow', text: 'select count(*) from appointments where notes = $1', values: ['x'] });
  expect(await readingsOf(client, 'appointments', slow)).toEqual([
    { statement: 'slow', kind: 'custom', index: null },
    { statement: 'slow', kind: 'generic', index: null },
  ]);
});
