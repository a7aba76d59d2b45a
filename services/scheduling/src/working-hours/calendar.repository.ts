import { type TenantReads, tenantSql } from '@frontdesk/database';
import type { Calendar } from './calendar.rules.ts';
import { BUSINESS } from './calendar.rules.ts';
import { type CalendarRow, calendarColumns, calendarsOf } from './calendar-columns.repository.ts';
import { type DateRange, reachedDates } from './date-range.rules.ts';

const find = tenantSql<CalendarRow, { resourceIds: number[]; from: string; to: string }>(
  'calendars_find',
  `select ${calendarColumns('resource.id', '$from', '$to')}
   from (select ${BUSINESS}::bigint as id union select unnest($resourceIds::bigint[])) resource`,
);

/** The calendars of these resources and of the business, by id, for visits that start within the range. */
export async function findCalendars(
  db: TenantReads,
  resourceIds: readonly number[],
  range: DateRange,
): Promise<Map<number, Calendar>> {
  const { from, to } = reachedDates(range);
  return calendarsOf(await db.many(find, { resourceIds: [...resourceIds], from, to }), range.timezone);
}

const findOfDate = tenantSql<CalendarRow & { has_staff: boolean }, { date: string }>(
  'calendars_of_date',
  `select exists (select from staff where tenant_id = $tenantId and deleted_at is null) as has_staff,
     ${calendarColumns('resource.id', '$date', '$date')}
   from (select ${BUSINESS}::bigint as id union all select id from staff where tenant_id = $tenantId and is_active) resource`,
);

/** Calendars on this date, by id: of the active staff, or of the business itself where it has none. */
export async function findCalendarsOfDate(
  db: TenantReads,
  date: string,
  timezone: string,
): Promise<Map<number, Calendar>> {
  const rows = await db.many(findOfDate, { date });
  const calendars = await calendarsOf(rows, timezone);
  if (rows[0]?.has_staff) calendars.delete(BUSINESS);
  return calendars;
}
