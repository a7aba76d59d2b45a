import type { BookingSettingsRecord } from '@frontdesk/contracts';
import { tenantSql } from '@frontdesk/database';
import { type DateRange, reachedDates } from '../domain/date-range.ts';
import type { Catalogue } from '../domain/offer.ts';
import { bookingSettings } from '../domain/settings.ts';
import { BUSINESS } from '../domain/slot.ts';
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

const findService = tenantSql<CatalogueRow, [serviceId: number, from: string, to: string]>(
  'catalogue_find',
  `with members as materialized (
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
     ${calendarColumns('select id from members where performs', '$3', '$4')}
   from booking_settings
   left join services service on service.tenant_id = $1 and service.id = $2 and service.is_active
   where booking_settings.tenant_id = $1`,
);

/** The service, everyone who works here and the calendars of those who perform it, in one query; null without a business. */
export async function findCatalogue(
  db: TenantReads,
  serviceId: number,
  range: DateRange,
): Promise<Catalogue | null> {
  const { from, to } = reachedDates(range);
  const row = await db.maybeOne(findService, serviceId, from, to);
  if (row === null) return null;
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
    calendars: calendarsOf(row, [BUSINESS, ...performing], range.timezone),
  };
}
