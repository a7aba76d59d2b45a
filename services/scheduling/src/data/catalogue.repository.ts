import type { BookingSettingsRecord } from '@frontdesk/contracts';
import { tenantSql } from '@frontdesk/database';
import { type DateRange, reachedDates } from '../domain/date-range.ts';
import type { Interval } from '../domain/interval.ts';
import type { Catalogue } from '../domain/offer.ts';
import { dayOf } from '../domain/plan.ts';
import { bookingSettings } from '../domain/settings.ts';
import { BUSINESS } from '../domain/slot.ts';
import { HOLDS_SLOT } from './appointment.repository.ts';
import { type CalendarRows, calendarColumns, calendarsOf } from './calendar-columns.ts';
import { SETTINGS_COLUMNS } from './settings.repository.ts';
import type { TenantReads } from './tenant-reads.ts';

interface CatalogueRow extends BookingSettingsRecord, CalendarRows {
  id: number | null;
  duration_minutes: number;
  buffer_before_minutes: number;
  buffer_after_minutes: number;
  price_minor: number;
  currency: string;
  has_staff: boolean;
  staff: [id: number, performs: boolean][];
}

const catalogueSql = (more = '') => `
   with members as materialized (
     select staff.id, exists (
       select from staff_services performed
       where performed.tenant_id = $1 and performed.staff_id = staff.id and performed.service_id = $2
     ) as performs
     from staff
     where staff.tenant_id = $1 and staff.is_active
   )
   select ${SETTINGS_COLUMNS},
     service.id, service.duration_minutes, service.buffer_before_minutes, service.buffer_after_minutes,
     service.price_minor, service.currency,
     exists (select from staff where tenant_id = $1 and deleted_at is null) as has_staff,
     coalesce((select json_agg(json_build_array(id, performs) order by id) from members), '[]') as staff,
     ${calendarColumns('select id from members where performs', '$3', '$4')} ${more}
   from booking_settings
   left join services service on service.tenant_id = $1 and service.id = $2 and service.is_active
   where booking_settings.tenant_id = $1`;

const findService = tenantSql<CatalogueRow, [serviceId: number, from: string, to: string]>(
  'catalogue_find',
  catalogueSql(),
);

// With all that a visit which starts between $5 and $6 could clash with; of $7 alone, where that is somebody.
const findServiceAndBusy = tenantSql<
  CatalogueRow & { busy: [resourceId: number, start: number, end: number][] },
  [serviceId: number, from: string, to: string, earliest: Date, latest: Date, staffId: number | null]
>(
  'catalogue_find_with_busy',
  catalogueSql(`, coalesce((
       select json_agg(json_build_array(asked.id, taken.busy_from, taken.busy_until) order by taken.busy_from)
       from (
         select id from members where performs and ($7::bigint is null or id = $7)
         union all
         select ${BUSINESS} where not exists (select from staff where tenant_id = $1 and deleted_at is null)
       ) asked
       cross join lateral (
         select extract(epoch from lower(occupied))::float8 * 1000 as busy_from,
           extract(epoch from upper(occupied))::float8 * 1000 as busy_until
         from appointments
         where tenant_id = $1 and resource_id = asked.id and ${HOLDS_SLOT} and occupied && tstzrange(
           $5::timestamptz - service.buffer_before_minutes * interval '1 minute',
           $6::timestamptz + (service.duration_minutes + service.buffer_after_minutes) * interval '1 minute')
       ) taken
     ), '[]') as busy`),
);

/** The service, everyone who works here and the calendars of those who perform it, in one query; null without a business. */
export async function findCatalogue(
  db: TenantReads,
  serviceId: number,
  range: DateRange,
): Promise<Catalogue | null> {
  const { from, to } = reachedDates(range);
  const row = await db.maybeOne(findService, serviceId, from, to);
  return row && toCatalogue(row, range.timezone);
}

/** The same together with what appointments occupy that a visit within the range could clash with, still in one query. */
export async function findCatalogueAndBusy(
  db: TenantReads,
  { serviceId, staffId }: { serviceId: number; staffId: number | null },
  range: DateRange,
): Promise<{ catalogue: Catalogue; busy: Map<number, Interval[]> } | null> {
  const { from, to } = reachedDates(range);
  const [earliest, latest] = [dayOf(range.from, range.timezone).start, dayOf(range.to, range.timezone).end];
  const row = await db.maybeOne(
    findServiceAndBusy,
    serviceId,
    from,
    to,
    new Date(earliest),
    new Date(latest),
    staffId,
  );
  if (row === null) return null;
  const busy = new Map<number, Interval[]>();
  for (const [id, start, end] of row.busy) busy.getOrInsertComputed(id, () => []).push({ start, end });
  return { catalogue: toCatalogue(row, range.timezone), busy };
}

function toCatalogue(row: CatalogueRow, timezone: string): Catalogue {
  const service =
    row.id === null
      ? null
      : {
          id: row.id,
          durationMinutes: row.duration_minutes,
          bufferBeforeMinutes: row.buffer_before_minutes,
          bufferAfterMinutes: row.buffer_after_minutes,
          priceMinor: row.price_minor,
          currency: row.currency,
        };
  const performing = row.staff.flatMap(([id, performs]) => (performs ? [id] : []));
  return {
    settings: bookingSettings(row),
    service,
    hasStaff: row.has_staff,
    staff: row.staff.map(([id, performs]) => ({ id, performs })),
    calendars: calendarsOf(row, [BUSINESS, ...performing], timezone),
  };
}
