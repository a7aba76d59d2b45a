import type { BookingSettingsRecord } from '@frontdesk/contracts';
import { tenantSql } from '@frontdesk/database';
import { NO_HOURS } from '../domain/calendar.ts';
import { type DateRange, reachedDates } from '../domain/date-range.ts';
import { bookingSettings } from '../domain/settings.ts';
import type { StaffMember } from '../domain/staff.ts';
import { type CalendarRows, calendarColumns, calendarsOf } from './calendar-columns.ts';
import { SETTINGS_COLUMNS } from './settings.repository.ts';
import type { TenantReads } from './tenant-reads.ts';

interface ShortestService {
  duration_minutes: number;
  buffer_before_minutes: number;
  buffer_after_minutes: number;
}

interface StaffRow extends BookingSettingsRecord, CalendarRows {
  staff: {
    id: number;
    name: string;
    specialties: string[];
    version: number;
    shortest: ShortestService | null;
  }[];
}

/** All of the active staff whom the condition lets through, as one row. */
const activeStaffSql = (condition: string) => `
  with members as materialized (
    select staff.id, staff.name, staff.specialties, staff.version, (
      select row_to_json(shortest) from (
        select service.duration_minutes, service.buffer_before_minutes, service.buffer_after_minutes
        from staff_services performed
        join services service on service.tenant_id = $1 and service.id = performed.service_id and service.is_active
        where performed.tenant_id = $1 and performed.staff_id = staff.id
        order by service.duration_minutes, service.id
        limit 1
      ) shortest
    ) as shortest
    from staff
    where staff.tenant_id = $1 and staff.is_active ${condition}
  )
  select ${SETTINGS_COLUMNS},
    coalesce((select json_agg(members order by id) from members), '[]') as staff,
    ${calendarColumns('select id from members', '$2', '$3')}
  from booking_settings
  where booking_settings.tenant_id = $1`;

const listStaff = tenantSql<StaffRow, [from: string, to: string]>('staff_list', activeStaffSql(''));

const findStaff = tenantSql<StaffRow, [from: string, to: string, id: number]>(
  'staff_find',
  activeStaffSql('and staff.id = $4'),
);

function toStaff(row: StaffRow | null, timezone: string): StaffMember[] {
  if (row === null) return [];
  const settings = bookingSettings(row);
  const ids = row.staff.map(({ id }) => id);
  const calendars = calendarsOf(row, ids, timezone);
  return row.staff.map(({ id, name, specialties, version, shortest }) => ({
    id,
    name,
    specialties,
    version,
    settings,
    calendar: calendars.get(id) ?? NO_HOURS,
    shortestVisit: shortest && {
      durationMinutes: shortest.duration_minutes,
      bufferBeforeMinutes: shortest.buffer_before_minutes,
      bufferAfterMinutes: shortest.buffer_after_minutes,
    },
  }));
}

/** The active staff by id, with their calendars within the range. */
export async function activeStaff(db: TenantReads, range: DateRange): Promise<StaffMember[]> {
  const { from, to } = reachedDates(range);
  return toStaff(await db.maybeOne(listStaff, from, to), range.timezone);
}

export async function activeStaffMember(
  db: TenantReads,
  id: number,
  range: DateRange,
): Promise<StaffMember | null> {
  const { from, to } = reachedDates(range);
  return toStaff(await db.maybeOne(findStaff, from, to, id), range.timezone)[0] ?? null;
}
