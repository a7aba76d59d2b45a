import type { Client } from 'pg';
import { copyInto, type Row } from './copy-into.ts';
import { withoutIndexes } from './without-indexes.ts';

export const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const TIMEZONE = 'Europe/Berlin';
export const CUSTOMERS = 500;
const SERVICES = 6;
const STAFF = 10;
/** One business is larger than the others. */
export const LARGE_TENANT = 1;
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

/** Appointments of an hour, spread evenly over the days of each staff member, none overlapping another. */
function* appointmentRows(tenants: number, appointments: number): Generator<Row> {
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
      yield appointmentRow({ tenant, member, id, start, today });
    }
  }
}

function appointmentRow(of: {
  tenant: number;
  member: number;
  id: number;
  start: number;
  today: number;
}): Row {
  const { tenant, member, id, start, today } = of;
  const startsAt = new Date(start).toISOString();
  const endsAt = new Date(start + HOUR_MS).toISOString();
  const status = statusOf(id, start < today);
  const changedAt = new Date(Math.min(start, today) - (id % 50_000) * 60_000).toISOString();
  return {
    tenant_id: tenant,
    id,
    customer_id: idOf(tenant, 1 + (id % CUSTOMERS)),
    service_id: idOf(tenant, 1 + (id % SERVICES)),
    staff_id: idOf(tenant, member),
    starts_at: startsAt,
    ends_at: endsAt,
    occupied: `[${startsAt},${endsAt})`,
    local_date: startsAt.slice(0, 10),
    duration_minutes: 60,
    buffer_before_minutes: 0,
    buffer_after_minutes: 0,
    timezone: TIMEZONE,
    status,
    source: 'api',
    price_minor: 4_500,
    currency: 'EUR',
    created_at: changedAt,
    updated_at: changedAt,
    cancelled_at: status === 'cancelled' ? changedAt : null,
  };
}

/** What a business is set up with, table by table, in the order in which they refer to each other. */
function businessRows(tenant_id: number): [table: string, rows: Row[]][] {
  const id = (n: number) => idOf(tenant_id, n);
  const staff = numbers(staffOf(tenant_id));
  const services = numbers(SERVICES);
  const record = { name: `Tenant ${tenant_id}`, plan: 'enterprise', status: 'active', version: 1 };
  const hours = { start_minute: OPENS_MINUTE, end_minute: CLOSES_MINUTE };
  return [
    ['tenants', [{ tenant_id, ...record, timezone: TIMEZONE, country: 'DE', currency: 'EUR' }]],
    ['booking_settings', [{ tenant_id }]],
    [
      'services',
      services.map((n) => ({
        tenant_id,
        id: id(n),
        name: `Service ${n}`,
        duration_minutes: 15 * (n + 1),
        price_minor: 4_500,
        currency: 'EUR',
      })),
    ],
    ['staff', staff.map((n) => ({ tenant_id, id: id(n), name: `Staff ${n}` }))],
    [
      'staff_services',
      staff.flatMap((n) => services.map((m) => ({ tenant_id, staff_id: id(n), service_id: id(m) }))),
    ],
    [
      'working_hours',
      staff.flatMap((n) =>
        numbers(7).map((weekday) => ({ tenant_id, resource_id: id(n), weekday, ...hours })),
      ),
    ],
    ['customers', numbers(CUSTOMERS).map((n) => ({ tenant_id, id: id(n), version: 1 }))],
  ];
}

/**
 * Fills scheduling's migrated, empty database with this many tenants and, of all together, appointments. Its customers are marked as complete: a
 * process over it asks no other service for more.
 */
export async function loadAppointments(client: Client, tenants: number, appointments: number): Promise<void> {
  const businesses = numbers(tenants).flatMap(businessRows);
  for (const [table, parts] of Map.groupBy(businesses, ([table]) => table))
    await copyInto(
      client,
      table,
      parts.flatMap(([, rows]) => rows),
    );
  await withoutIndexes(client, 'appointments', () =>
    copyInto(client, 'appointments', appointmentRows(tenants, appointments)),
  );
  await client.query(
    `insert into counts (tenant_id, counter, delta) select tenant_id, 'appointments', count(*) from appointments group by 1`,
  );
  await client.query(`insert into projections (name, filled_at) values ('customers', now())`);
  for (const table of ['services', 'staff', 'appointments'])
    await client.query(
      `select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`,
    );
  await client.query('vacuum (analyze)');
}
