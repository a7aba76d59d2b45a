import { tenantSql } from '@frontdesk/database';
import { type HoursEntry, weeklyHoursOf, wholeWeek } from '../domain/weekly-hours.ts';
import type { TenantReads } from './tenant-reads.ts';

const list = tenantSql<{ id: number; entries: HoursEntry[] }>(
  'staff_hours_list',
  `select staff.id, coalesce((
     select json_agg(hours order by hours.weekday, hours.start_minute)
     from (
       select weekday, start_minute, end_minute from working_hours
       where tenant_id = $1 and resource_id = staff.id
     ) hours
   ), '[]') as entries
   from staff
   where staff.tenant_id = $1 and staff.deleted_at is null
   order by staff.id`,
);

/** The weekly hours of all staff, inactive ones too, by id; nothing else of their calendars is read. */
export const listStaffHours = async (db: TenantReads) =>
  (await db.many(list)).map(({ id, entries }) => ({ id, hours: wholeWeek(weeklyHoursOf(entries)) }));
