import { Client } from 'pg';
import { loadAppointments } from '../../../bench/scheduling/appointments-data.ts';
import { everyQuery } from '../../../bench/scheduling/queries.ts';
import { readingsOf } from '../../../bench/support/plans.ts';
import { operator } from '../../support/index.ts';
import { type SchedulingWorld, startScheduling } from './scheduling-world.ts';

const TENANTS = 200;
const APPOINTMENTS = 60_000;
const TENANT = 100;

let world: SchedulingWorld;
let client: Client;

beforeAll(async () => {
  world = await startScheduling();
  client = new Client({ connectionString: world.config.DATABASE_URL });
  await client.connect();
  await loadAppointments(client, TENANTS, APPOINTMENTS);
});

afterAll(async () => {
  await client.end();
  await world.stop();
});

it('an index stands behind everything that is read of the appointments', async () => {
  const send = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: object) => {
    const answer = url.startsWith('/internal/')
      ? await world.send('internal', operator, { method, url, body })
      : await world.api(TENANT, method, url.replace('/api/v1', ''), body);
    expect([url, answer.status]).toEqual([url, method === 'POST' ? 201 : 200]);
    return answer.body.data;
  };
  const readings = await readingsOf(client, 'appointments', () => everyQuery(TENANT, send));
  expect(readings.filter(({ index }) => index === null)).toEqual([]);
  const statements = new Set(readings.map(({ statement }) => statement));
  for (const statement of [
    'busy_find',
    'catalogue_find_with_busy',
    'catalogue_find_with_busy',
    'booking_insert',
    'booking_move',
    'day_appointments',
    'appointments_-starts_at',
    'appointments_count_status',
  ])
    expect(statements).toContain(statement);
});

it('a query without an index would be noticed', async () => {
  const slow = () =>
    client.query({ name: 'slow', text: 'select count(*) from appointments where notes = $1', values: ['x'] });
  expect(await readingsOf(client, 'appointments', slow)).toEqual([
    { statement: 'slow', kind: 'custom', index: null },
    { statement: 'slow', kind: 'generic', index: null },
  ]);
});
