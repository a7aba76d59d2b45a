import type { BookingSettingsRecord } from '@frontdesk/contracts';
import { type TenantReads, tenantSql } from '@frontdesk/database';
import { type VisitRow, visitOf } from '../availability/buffers.rules.ts';
import { BOOKING_SETTINGS_COLUMNS } from '../booking-settings/booking-settings.repository.ts';
import { bookingSettingsRecord } from '../booking-settings/booking-settings.rules.ts';
import { BUSINESS, NO_HOURS } from '../working-hours/calendar.rules.ts';
import {
  type CalendarRow,
  calendarColumns,
  calendarsOf,
} from '../working-hours/calendar-columns.repository.ts';
import { type DateRange, reachedDates } from '../working-hours/date-range.rules.ts';
import type { StaffMember } from './staff.rules.ts';

/** One row for the business itself, without a name, and one for each staff member, by id. Settings are the same in all rows. */
interface ActiveStaffRow extends BookingSettingsRecord, CalendarRow {
  name: string | null;
  specialties: string[];
  shortest: VisitRow | null;
}

/** `condition` says which of the active staff; it may end in a limit. */
const activeStaffSql = (condition: string) => `
  with resources as materialized (
    select ${BUSINESS}::bigint as id, null as name, null::text[] as specialties, null::json as shortest
    union all
    (select staff.id, staff.name, staff.specialties, (
      select row_to_json(shortest) from (
        select service.duration_minutes, service.buffer_before_minutes, service.buffer_after_minutes
        from staff_services performed
        join services service on service.tenant_id = $tenantId and service.id = performed.service_id and service.is_active
        where performed.tenant_id = $tenantId and performed.staff_id = staff.id
        order by service.duration_minutes, service.id
        limit 1
      ) shortest
    )
    from staff
    where staff.tenant_id = $tenantId and staff.is_active and ${condition})
  )
  select ${BOOKING_SETTINGS_COLUMNS}, resource.name, resource.specialties, resource.shortest,
    ${calendarColumns('resource.id', '$from', '$to')}
  from booking_settings
  cross join resources resource
  where booking_settings.tenant_id = $tenantId
  order by resource.id`;

/** Staff that are read at once, with a week of their calendars. */
const PAGE_SIZE = 50;

const listStaff = tenantSql<ActiveStaffRow, { from: string; to: string; afterId: number }>(
  'staff_list',
  activeStaffSql(`staff.id > $afterId order by staff.id limit ${PAGE_SIZE}`),
);

const findStaff = tenantSql<ActiveStaffRow, { from: string; to: string; id: number }>(
  'staff_find',
  activeStaffSql('staff.id = $id'),
);

async function activeStaffOf(rows: ActiveStaffRow[], timezone: string): Promise<StaffMember[]> {
  const calendars = await calendarsOf(rows, timezone);
  return rows.flatMap((row) => {
    const { resource_id: id, name, specialties, shortest } = row;
    if (name === null) return [];
    return {
      id,
      name,
      specialties,
      settings: bookingSettingsRecord(row),
      calendar: calendars.get(id) ?? NO_HOURS,
      shortestVisit: shortest && visitOf(shortest),
    };
  });
}

/** The active staff by id, with their calendars within the range, page by page. */
export async function* listActiveStaff(db: TenantReads, range: DateRange): AsyncGenerator<StaffMember[]> {
  const { from, to } = reachedDates(range);
  let page: StaffMember[] = [];
  do {
    page = await activeStaffOf(
      await db.many(listStaff, { from, to, afterId: page.at(-1)?.id ?? 0 }),
      range.timezone,
    );
    yield page;
  } while (page.length === PAGE_SIZE);
}

export async function findActiveStaffMember(
  db: TenantReads,
  id: number,
  range: DateRange,
): Promise<StaffMember | null> {
  const { from, to } = reachedDates(range);
  const [member] = await activeStaffOf(await db.many(findStaff, { from, to, id }), range.timezone);
  return member ?? null;
}
