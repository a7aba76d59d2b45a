import { type TenantReads, tenantSql } from '@frontdesk/database';
import { BUSINESS } from '../domain/slot.ts';
import { type HoursEntry, weeklyHoursOf, wholeWeek } from '../domain/weekly-hours.ts';

const list = tenantSql<{ id: number; entries: HoursEntry[] }>(
  'staff_hours_list',
  `select staff.id, coalesce((
     select json_agg(hours order by hours.weekday, hours.start_minute)
     from (
       select weekday, start_minute, end_minute from working_hours
       where tenant_id = $1
         and resource_id = case when staff.follows_business_hours then ${BUSINESS} else staff.id end
     ) hours
   ), '[]') as entries
   from staff
   where staff.tenant_id = $1 and staff.deleted_at is null
   order by staff.id`,
);

/** Weekly hours of all staff, inactive ones too, by id; the business's for those who follow them. */
export const listStaffHours = async (db: TenantReads) =>
  (await db.many(list)).map(({ id, entries }) => ({ id, hours: wholeWeek(weeklyHoursOf(entries)) }));
