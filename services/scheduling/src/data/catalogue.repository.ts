import { tenantSql } from '@frontdesk/database';
import type { Calendar, Span } from '../domain/calendar.ts';
import type { BookingSettings, Catalogue } from '../domain/offer.ts';
import type { TenantReads } from './tenant-reads.ts';

export type HoursRow = [resourceId: number, weekday: number, startMinute: number, endMinute: number];

export interface SettingsRow {
  booking_policy: BookingSettings['policy'];
  slot_step_minutes: number;
  minimum_notice_minutes: number;
  horizon_days: number | null;
}

export const SETTINGS_COLUMNS = `settings.booking_policy, settings.slot_step_minutes, settings.minimum_notice_minutes,
    settings.horizon_days`;

interface CatalogueRow extends SettingsRow {
  id: number | null;
  duration_minutes: number;
  buffer_before_minutes: number;
  buffer_after_minutes: number;
  price_minor: number;
  currency: string;
  staff: [id: number, performs: boolean][];
  hours: HoursRow[];
}

const findService = tenantSql<CatalogueRow, [serviceId: number]>(
  'catalogue_find',
  `with members as (
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
     coalesce((select json_agg(json_build_array(id, performs) order by id) from members), '[]') as staff,
     coalesce((
       select json_agg(json_build_array(hours.resource_id, hours.weekday, hours.start_minute, hours.end_minute))
       from working_hours hours
       where hours.tenant_id = $1
         and (hours.resource_id = 0 or hours.resource_id in (select id from members where performs))
     ), '[]') as hours
   from booking_settings settings
   left join services service on service.tenant_id = $1 and service.id = $2 and service.is_active
   where settings.tenant_id = $1`,
);

export function bookingSettings(row: SettingsRow): BookingSettings {
  return {
    policy: row.booking_policy,
    slotStepMinutes: row.slot_step_minutes,
    minimumNoticeMinutes: row.minimum_notice_minutes,
    horizonDays: row.horizon_days,
  };
}

/** Resource → its calendar. */
export function calendarsOf(rows: readonly HoursRow[]): Map<number, Calendar> {
  const weeks = new Map<number, Map<number, Span[]>>();
  for (const [resourceId, weekday, startMinute, endMinute] of rows) {
    const week = weeks.get(resourceId) ?? new Map<number, Span[]>();
    week.set(weekday, [...(week.get(weekday) ?? []), { startMinute, endMinute }]);
    weeks.set(resourceId, week);
  }
  return new Map([...weeks].map(([id, weekly]) => [id, { weekly, exceptions: new Map(), timeOff: [] }]));
}

/** The service, everyone who works here and the hours of those who perform it, in one query; null without a business. */
export async function findCatalogue(db: TenantReads, serviceId: number): Promise<Catalogue | null> {
  const row = await db.maybeOne(findService, serviceId);
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
  return {
    settings: bookingSettings(row),
    service,
    staff: row.staff.map(([id, performs]) => ({ id, performs })),
    calendars: calendarsOf(row.hours),
  };
}
