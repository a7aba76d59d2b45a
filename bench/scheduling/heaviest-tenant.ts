import { MAX_CALENDAR_ENTRIES, MAX_SPANS, MAX_STAFF } from '@frontdesk/contracts';
import type { Client } from 'pg';
import { DAY_MS, idOf } from '../../tests/support/appointments-data.ts';
import { copyInto, type Row } from '../../tests/support/copy-into.ts';
import { withoutIndexes } from '../../tests/support/without-indexes.ts';

export const HEAVIEST_TENANT = 900;
const TIMEZONE = 'Europe/Berlin';
/** The year in which the next free start is searched, and the days that a visit may reach beyond it. */
export const BOOKED_DAYS = 368;
const HOUR_MINUTES = 60;
/** Spans of three quarters of an hour, each filled by one visit. */
const [FIRST_MINUTE, SPAN_MINUTES] = [8 * HOUR_MINUTES, 45];

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const tenant_id = HEAVIEST_TENANT;
const staff = numbers(MAX_STAFF).map((n) => idOf(tenant_id, n + 1));
const service = idOf(tenant_id, 1);
const spansOfDay = numbers(MAX_SPANS).map((n) => {
  const start = FIRST_MINUTE + n * HOUR_MINUTES;
  return [start, start + SPAN_MINUTES] as const;
});
const today = () => Temporal.Now.plainDateISO(TIMEZONE);

function* visits(days: number): Generator<Row> {
  let id = HEAVIEST_TENANT * 10_000_000;
  for (const day of numbers(days)) {
    const date = today().add({ days: day });
    const midnight = date.toZonedDateTime(TIMEZONE).epochMilliseconds;
    for (const [start] of spansOfDay) {
      const starts_at = new Date(midnight + start * 60_000).toISOString();
      const ends_at = new Date(midnight + (start + SPAN_MINUTES) * 60_000).toISOString();
      for (const staff_id of staff) {
        id += 1;
        yield {
          tenant_id,
          id,
          customer_id: idOf(tenant_id, 1),
          service_id: service,
          staff_id,
          starts_at,
          ends_at,
          occupied: `[${starts_at},${ends_at})`,
          local_date: date.toString(),
          duration_minutes: SPAN_MINUTES,
          buffer_before_minutes: 0,
          buffer_after_minutes: 0,
          timezone: TIMEZONE,
          status: 'scheduled',
          source: 'api',
          price_minor: 4_500,
          currency: 'EUR',
          created_at: starts_at,
          updated_at: starts_at,
          cancelled_at: null,
        };
      }
    }
  }
}

/** Loads a tenant with the most staff, spans a day, dated entries and times off that the bounds allow, booked up for so many days. */
export async function loadHeaviestTenant(client: Client, days: number): Promise<void> {
  const resources = [0, ...staff];
  const spans = JSON.stringify(spansOfDay);
  const entries = numbers(MAX_CALENDAR_ENTRIES).map((n) => today().add({ days: n }).toString());
  const record = { name: 'Heaviest', plan: 'enterprise', status: 'active', version: 1 };
  const rows: [table: string, rows: Row[]][] = [
    ['tenants', [{ tenant_id, ...record, timezone: TIMEZONE, country: 'DE', currency: 'EUR' }]],
    ['booking_settings', [{ tenant_id, slot_step_minutes: 5 }]],
    [
      'services',
      [
        {
          tenant_id,
          id: service,
          name: 'Visit',
          duration_minutes: SPAN_MINUTES,
          price_minor: 4_500,
          currency: 'EUR',
        },
      ],
    ],
    ['staff', staff.map((id) => ({ tenant_id, id, name: `Staff ${id}` }))],
    ['staff_services', staff.map((staff_id) => ({ tenant_id, staff_id, service_id: service }))],
    [
      'working_hours',
      resources.flatMap((resource_id) =>
        numbers(7).flatMap((day) =>
          spansOfDay.map(([start_minute, end_minute]) => ({
            tenant_id,
            resource_id,
            weekday: day + 1,
            start_minute,
            end_minute,
          })),
        ),
      ),
    ],
    [
      'dated_hours',
      resources.flatMap((resource_id) => entries.map((date) => ({ tenant_id, resource_id, date, spans }))),
    ],
    [
      'time_off',
      resources.flatMap((resource_id) =>
        entries.map((date) => ({
          tenant_id,
          resource_id,
          starts_at: `${date}T06:00`,
          ends_at: `${date}T06:30`,
        })),
      ),
    ],
    ['customers', [{ tenant_id, id: idOf(tenant_id, 1), version: 1 }]],
  ];
  for (const [table, all] of rows) await copyInto(client, table, all);
  await withoutIndexes(client, 'appointments', () => copyInto(client, 'appointments', visits(days)));
  await client.query('vacuum (analyze)');
}

const dayAhead = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

/** The most expensive requests of such a tenant. */
export const heaviestRequests = {
  staff: '/api/v1/staff',
  slots: (n: number) => `/api/v1/appointments/slots?date=${dayAhead(1 + (n % 60))}&service_id=${service}`,
  booking: (n: number) => ({
    customer_id: idOf(tenant_id, 1),
    service_id: service,
    appointment_date: dayAhead(20 + (n % 300)),
    appointment_time: '09:00',
  }),
};
