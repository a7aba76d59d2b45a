import type { BookingSettingsRecord } from '@frontdesk/contracts';
import { type TenantReads, tenantSql } from '@frontdesk/database';
import { BOOKING_SETTINGS_COLUMNS } from '../booking-settings/booking-settings.repository.ts';
import { bookingSettingsRecord } from '../booking-settings/booking-settings.rules.ts';
import { BUSINESS } from '../working-hours/calendar.rules.ts';
import {
  type CalendarRow,
  calendarColumns,
  calendarsOf,
} from '../working-hours/calendar-columns.repository.ts';
import { type DateRange, reachedDates } from '../working-hours/date-range.rules.ts';
import { dayOf } from '../working-hours/day.rules.ts';
import type { Interval } from '../working-hours/interval.rules.ts';
import { type TermsRow, termsOf } from './buffers.rules.ts';
import { BUSY_LISTS, type BusyLists, busyIntervalsOf, isTaken } from './busy.repository.ts';
import type { Catalogue } from './offer.rules.ts';

/** One row for the business itself and one for each active staff member, by id. Settings and service are the same in all rows. */
interface CatalogueRow extends BookingSettingsRecord, Omit<TermsRow, 'service_id'> {
  service_id: number | null;
  has_staff: boolean;
  member_id: number;
  performs: boolean;
}

/** Not all who work here are asked for with their calendar. */
type RowWithCalendar = CatalogueRow & (CalendarRow | { resource_id: null });

const catalogueSql = (columns = '', joins = '') => `
   with business as materialized (
     select ${BOOKING_SETTINGS_COLUMNS},
       service.id as service_id, service.duration_minutes, service.buffer_before_minutes, service.buffer_after_minutes,
       service.price_minor, service.currency,
       exists (select from staff where tenant_id = $tenantId and deleted_at is null) as has_staff
     from booking_settings
     left join services service on service.tenant_id = $tenantId and service.id = $serviceId and service.is_active
     where booking_settings.tenant_id = $tenantId
   ), resources as materialized (
     select ${BUSINESS}::bigint as resource_id, false as performs
     union all
     select staff.id, exists (
       select from staff_services performed
       where performed.tenant_id = $tenantId and performed.staff_id = staff.id and performed.service_id = $serviceId
     )
     from staff
     where staff.tenant_id = $tenantId and staff.is_active
   )
   select business.*, resource.resource_id as member_id, resource.performs ${columns}
   from business
   cross join resources resource
   ${joins}
   order by resource.resource_id`;

/** Joins the calendars of the business and of the staff whom the condition names. */
const calendarsWhere = (condition: string) => `
   left join lateral (
     select ${calendarColumns('resource.resource_id', '$from', '$to')}
     where (${condition}) or resource.resource_id = ${BUSINESS}
   ) calendar on true`;

const findServiceAndStaff = tenantSql<CatalogueRow, { serviceId: number }>(
  'catalogue_find_without_calendars',
  catalogueSql(),
);

/** Of a named staff member alone, or of all who perform the service. */
const ASKED_FOR = 'resource.performs and ($staffId::bigint is null or resource.resource_id = $staffId)';

const findService = tenantSql<
  RowWithCalendar,
  { serviceId: number; from: string; to: string; staffId: number | null }
>('catalogue_find', catalogueSql(', calendar.*', calendarsWhere(ASKED_FOR)));

// With all that a visit which starts between `earliest` and `latest` could clash with; of `staffId` alone, where that is somebody;
// without `movedId`, which is to leave its place.
const findServiceAndBusy = tenantSql<
  RowWithCalendar & BusyLists,
  {
    serviceId: number;
    from: string;
    to: string;
    earliest: Date;
    latest: Date;
    staffId: number | null;
    movedId: number | null;
  }
>(
  'catalogue_find_with_busy',
  catalogueSql(
    ', calendar.*, taken.*',
    `${calendarsWhere(ASKED_FOR)}
   left join lateral (
     select ${BUSY_LISTS}
     from appointments
     where tenant_id = $tenantId and resource_id = resource.resource_id and ${isTaken('appointments')} and occupied && tstzrange(
       $earliest::timestamptz - business.buffer_before_minutes * interval '1 minute',
       $latest::timestamptz + (business.duration_minutes + business.buffer_after_minutes) * interval '1 minute')
       and business.service_id is not null and ($movedId::bigint is null or id <> $movedId)
       and case when business.has_staff then ${ASKED_FOR}
         else resource.resource_id = ${BUSINESS} end
   ) taken on true`,
  ),
);

/** The service and everyone who works here, with nobody's calendar; null without a business. */
export async function findCatalogueWithoutCalendars(
  db: TenantReads,
  serviceId: number,
): Promise<Catalogue | null> {
  return catalogueOf(await db.many(findServiceAndStaff, { serviceId }), new Map());
}

/**
 * The service, everyone who works here and the calendars of those who perform it, or of `staffId` alone, where that is somebody; in one
 * query. Null without a business.
 */
export async function findCatalogue(
  db: TenantReads,
  { serviceId, staffId }: { serviceId: number; staffId: number | null },
  range: DateRange,
): Promise<Catalogue | null> {
  const { from, to } = reachedDates(range);
  const rows = await db.many(findService, { serviceId, from, to, staffId });
  return catalogueOf(rows, await calendarsIn(rows, range.timezone));
}

/** The same together with what appointments occupy that a visit within the range could clash with, still in one query. */
export async function findCatalogueAndBusy(
  db: TenantReads,
  { serviceId, staffId, movedId }: { serviceId: number; staffId: number | null; movedId: number | null },
  range: DateRange,
): Promise<{ catalogue: Catalogue; busy: Map<number, Interval[]> } | null> {
  const { from, to } = reachedDates(range);
  const [earliest, latest] = [dayOf(range.from, range.timezone).start, dayOf(range.to, range.timezone).end];
  const rows = await db.many(findServiceAndBusy, {
    serviceId,
    from,
    to,
    earliest: new Date(earliest),
    latest: new Date(latest),
    staffId,
    movedId,
  });
  const catalogue = catalogueOf(rows, await calendarsIn(rows, range.timezone));
  const busy = new Map(rows.map((row) => [row.member_id, busyIntervalsOf(row)]));
  return catalogue && { catalogue, busy };
}

const calendarsIn = (rows: RowWithCalendar[], timezone: string) =>
  calendarsOf(
    rows.filter((row) => row.resource_id !== null),
    timezone,
  );

function catalogueOf(rows: CatalogueRow[], calendars: Catalogue['calendars']): Catalogue | null {
  const [business, ...staff] = rows;
  if (business === undefined) return null;
  const { service_id } = business;
  return {
    settings: bookingSettingsRecord(business),
    service: service_id === null ? null : termsOf({ ...business, service_id }),
    hasStaff: business.has_staff,
    staff: staff.map(({ member_id, performs }) => ({ id: member_id, performs })),
    calendars,
  };
}
