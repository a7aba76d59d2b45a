import type { Client } from 'pg';
import { type Cell, copyInto } from '../support/copy-into.ts';
import { withoutIndexes } from '../support/without-indexes.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const TIMEZONE = 'Europe/Berlin';
const CUSTOMERS = 500;
const SERVICES = 6;
const STAFF = 10;
/** One business is larger than the others. */
const LARGE_TENANT = 1;
const LARGE_STAFF = 50;
/** Days with appointments, three quarters of them past. */
const [FIRST_DAY, DAYS] = [-540, 720];
/** Starts on the hour, in UTC, within the working hours. */
const [FIRST_HOUR, HOURS] = [8, 9];
const [OPENS_MINUTE, CLOSES_MINUTE] = [540, 1_140];

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** The n-th staff member, service or customer of a tenant; n from 1. */
export const idOf = (tenant: number, n: number) => tenant * 1_000 + n;

const staffOf = (tenant: number) => (tenant === LARGE_TENANT ? LARGE_STAFF : STAFF);

function statusOf(id: number, isPast: boolean): string {
  if (id % 12 === 0) return 'cancelled';
  if (!isPast) return 'scheduled';
  return id % 17 === 0 ? 'no_show' : 'completed';
}

const COLUMNS = `tenant_id, id, customer_id, service_id, staff_id, starts_at, ends_at, occupied, local_date, duration_minutes,
  buffer_before_minutes, buffer_after_minutes, timezone, status, notes, source, price_minor, currency, version, created_at,
  updated_at, cancelled_at`;

/** Appointments of an hour, spread evenly over the days of each staff member, none overlapping another. */
function* appointmentRows(tenants: number, appointments: number): Generator<Cell[]> {
  const today = Date.now() - (Date.now() % DAY_MS);
  const staff = numbers(tenants).flatMap((tenant) =>
    numbers(staffOf(tenant)).map((n) => [tenant, n] as const),
  );
  const each = Math.floor(appointments / staff.length);
  let id = 0;
  for (const [tenant, member] of staff) {
    for (let n = 0; n < each; n += 1) {
      id += 1;
      const place = Math.floor(((n + 0.5) * DAYS * HOURS) / each);
      const day = FIRST_DAY + Math.floor(place / HOURS);
      const start = today + day * DAY_MS + (FIRST_HOUR + (place % HOURS)) * HOUR_MS;
      const startsAt = new Date(start).toISOString();
      const endsAt = new Date(start + HOUR_MS).toISOString();
      const status = statusOf(id, day < 0);
      const changedAt = new Date(Math.min(start, today) - (id % 50_000) * 60_000).toISOString();
      yield [
        ...[
          tenant,
          id,
          idOf(tenant, 1 + (id % CUSTOMERS)),
          idOf(tenant, 1 + (id % SERVICES)),
          idOf(tenant, member),
        ],
        ...[
          startsAt,
          endsAt,
          `[${startsAt},${endsAt})`,
          startsAt.slice(0, 10),
          60,
          0,
          0,
          TIMEZONE,
          status,
          null,
          'api',
        ],
        ...[4_500, 'EUR', 1, changedAt, changedAt, status === 'cancelled' ? changedAt : null],
      ];
    }
  }
}

/** Fills scheduling's migrated, empty database with this many tenants and, of all together, appointments. */
export async function loadAppointments(client: Client, tenants: number, appointments: number): Promise<void> {
  const all = numbers(tenants);
  const ofEach = (count: (tenant: number) => number, cells: (tenant: number, n: number) => Cell[][]) =>
    all.flatMap((tenant) => numbers(count(tenant)).flatMap((n) => cells(tenant, n)));
  const load = (table: string, columns: string, rows: Iterable<Cell[]>) =>
    copyInto(client, table, columns, rows);

  await load(
    'tenants',
    'tenant_id, name, plan, status, timezone, country, currency, version',
    all.map((tenant) => [tenant, `Tenant ${tenant}`, 'enterprise', 'active', TIMEZONE, 'DE', 'EUR', 1]),
  );
  await load(
    'booking_settings',
    'tenant_id',
    all.map((tenant) => [tenant]),
  );
  await load(
    'services',
    'tenant_id, id, name, duration_minutes, price_minor, currency',
    ofEach(
      () => SERVICES,
      (tenant, n) => [[tenant, idOf(tenant, n), `Service ${n}`, 15 * (n + 1), 4_500, 'EUR']],
    ),
  );
  await load(
    'staff',
    'tenant_id, id, name',
    ofEach(staffOf, (tenant, n) => [[tenant, idOf(tenant, n), `Staff ${n}`]]),
  );
  await load(
    'staff_services',
    'tenant_id, staff_id, service_id',
    ofEach(staffOf, (tenant, n) =>
      numbers(SERVICES).map((service) => [tenant, idOf(tenant, n), idOf(tenant, service)]),
    ),
  );
  await load(
    'working_hours',
    'tenant_id, resource_id, weekday, start_minute, end_minute',
    ofEach(staffOf, (tenant, n) =>
      numbers(7).map((day) => [tenant, idOf(tenant, n), day, OPENS_MINUTE, CLOSES_MINUTE]),
    ),
  );
  await load(
    'customers',
    'tenant_id, id, version',
    ofEach(
      () => CUSTOMERS,
      (tenant, n) => [[tenant, idOf(tenant, n), 1]],
    ),
  );
  await withoutIndexes(client, 'appointments', () =>
    load('appointments', COLUMNS, appointmentRows(tenants, appointments)),
  );
  await client.query(
    `insert into counts (tenant_id, counter, delta) select tenant_id, 'appointments', count(*) from appointments group by 1`,
  );
  for (const table of ['services', 'staff', 'appointments'])
    await client.query(
      `select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`,
    );
  await client.query('vacuum (analyze)');
}
