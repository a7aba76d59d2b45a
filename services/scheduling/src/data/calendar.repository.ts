import { tenantSql } from '@frontdesk/database';
import type { Calendar } from '../domain/calendar.ts';
import { type DateRange, reachedDates } from '../domain/date-range.ts';
import { type CalendarRows, calendarColumns, calendarsOf } from './calendar-columns.ts';
import type { TenantReads } from './tenant-reads.ts';

const find = tenantSql<CalendarRows, [resourceIds: number[], from: string, to: string]>(
  'calendars_find',
  `select ${calendarColumns('select unnest($2::bigint[])', '$3', '$4')}`,
);

/** The calendars of these resources, by their ids, as they decide on visits that start within the range. */
export async function findCalendars(
  db: TenantReads,
  resourceIds: readonly number[],
  range: DateRange,
): Promise<Map<number, Calendar>> {
  const { from, to } = reachedDates(range);
  return calendarsOf(await db.one(find, [...resourceIds], from, to), resourceIds, range.timezone);
}
