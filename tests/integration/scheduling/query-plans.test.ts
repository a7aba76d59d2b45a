import { Client } from 'pg';
import { idOf, loadAppointments } from '../../../bench/scheduling/appointments-data.ts';
import { everyQuery } from '../../../bench/scheduling/queries.ts';
import { readingsOf } from '../../../bench/support/plans.ts';
import { saveCustomers } from '../../../services/scheduling/src/data/customer.repository.ts';
import { expectIndexes } from '../../support/expect-indexes.ts';
import { operator } from '../../support/index.ts';
import { type SchedulingWorld, startScheduling } from './scheduling-world.ts';

const TENANTS = 200;
const APPOINTMENTS = 60_000;
const TENANT = 100;
const TABLES = ['appointments', 'customers', 'working_hours', 'dated_hours', 'time_off'];
/** Ten dates and ten stretches of time off for everyone. */
const CALENDARS = [
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
  for (const statement of CALENDARS) await client.query(statement);
});

afterAll(async () => {
  await client.end();
  await world.stop();
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
    await saveCustomers(world.database.system, [
      { tenant_id: TENANT, aggregate_id: 7, aggregate_version: 2 },
    ]);
  });
});

it('the appointments of a customer are found by the customer', async () => {
  const list = () => world.api(TENANT, 'GET', `/appointments?customer_id=${idOf(TENANT, 1)}`);
  const indexes = (await readingsOf(client, 'appointments', list)).map(({ index }) => index);
  expect(new Set(indexes)).toEqual(new Set(['appointments_of_customer']));
});

it('a query without an index would be noticed', async () => {
  const slow = () =>
    client.query({ name: 'slow', text: 'select count(*) from appointments where notes = $1', values: ['x'] });
  expect(await readingsOf(client, 'appointments', slow)).toEqual([
    { statement: 'slow', kind: 'custom', index: null },
    { statement: 'slow', kind: 'generic', index: null },
  ]);
});
