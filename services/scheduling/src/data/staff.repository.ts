import { tenantSql } from '@frontdesk/database';
import { NO_HOURS } from '../domain/offer.ts';
import type { StaffMember } from '../domain/staff.ts';
import type { Visit } from '../domain/start-windows.ts';
import {
  bookingSettings,
  calendarsOf,
  type HoursRow,
  SETTINGS_COLUMNS,
  type SettingsRow,
} from './catalogue.repository.ts';
import type { TenantReads } from './tenant-reads.ts';

interface StaffRow extends SettingsRow {
  id: number;
  name: string;
  specialties: string[];
  shortest: [durationMinutes: number, bufferBeforeMinutes: number, bufferAfterMinutes: number] | null;
  hours: HoursRow[];
}

const ACTIVE_STAFF = `
  select staff.id, staff.name, staff.specialties, ${SETTINGS_COLUMNS},
    (
      select json_build_array(
        service.duration_minutes, service.buffer_before_minutes, service.buffer_after_minutes)
      from staff_services performed
      join services service on service.tenant_id = $1 and service.id = performed.service_id and service.is_active
      where performed.tenant_id = $1 and performed.staff_id = staff.id
      order by service.duration_minutes, service.id
      limit 1
    ) as shortest,
    coalesce((
      select json_agg(
        json_build_array(hours.resource_id, hours.weekday, hours.start_minute, hours.end_minute)
        order by hours.weekday, hours.start_minute)
      from working_hours hours
      where hours.tenant_id = $1 and hours.resource_id = staff.id
    ), '[]') as hours
  from staff
  join booking_settings settings on settings.tenant_id = staff.tenant_id
  where staff.tenant_id = $1 and staff.is_active`;

const listStaff = tenantSql<StaffRow>('staff_list', `${ACTIVE_STAFF} order by staff.id`);

const findStaff = tenantSql<StaffRow, [id: number]>('staff_find', `${ACTIVE_STAFF} and staff.id = $2`);

function toVisit([durationMinutes, bufferBeforeMinutes, bufferAfterMinutes]: [
  number,
  number,
  number,
]): Visit {
  return { durationMinutes, bufferBeforeMinutes, bufferAfterMinutes };
}

function toStaffMember(row: StaffRow): StaffMember {
  return {
    id: row.id,
    name: row.name,
    specialties: row.specialties,
    settings: bookingSettings(row),
    calendar: calendarsOf(row.hours).get(row.id) ?? NO_HOURS,
    shortestVisit: row.shortest === null ? null : toVisit(row.shortest),
  };
}

export async function activeStaff(db: TenantReads): Promise<StaffMember[]> {
  return (await db.many(listStaff)).map(toStaffMember);
}

export async function activeStaffMember(db: TenantReads, id: number): Promise<StaffMember | null> {
  const row = await db.maybeOne(findStaff, id);
  return row && toStaffMember(row);
}
