import type { TimeOffRecord } from '@frontdesk/contracts';
import { tenantSql } from '@frontdesk/database';
import { EMPTY_CALENDAR, type OwnCalendar } from '../domain/own-calendar.ts';
import { type HoursEntry, type SpanMinutes, timeSpans, weeklyHoursOf } from '../domain/weekly-hours.ts';
import type { TenantReads } from './tenant-reads.ts';

type OfResource<Row> = Row & { resource_id: number };

const findHours = tenantSql<OfResource<HoursEntry>, [resourceIds: number[]]>(
  'calendar_hours',
  `select resource_id, weekday, start_minute, end_minute from working_hours
   where tenant_id = $1 and resource_id = any($2::bigint[])
   order by weekday, start_minute`,
);

const findExceptions = tenantSql<
  OfResource<{ date: string; spans: SpanMinutes[]; note: string | null }>,
  [resourceIds: number[]]
>(
  'calendar_exceptions',
  `select resource_id, date, spans, note from dated_hours
   where tenant_id = $1 and resource_id = any($2::bigint[])
   order by date`,
);

const findTimeOff = tenantSql<OfResource<TimeOffRecord>, [resourceIds: number[]]>(
  'calendar_time_off',
  `select resource_id, id, to_char(starts_at, 'YYYY-MM-DD"T"HH24:MI') as start,
     to_char(ends_at, 'YYYY-MM-DD"T"HH24:MI') as end, note
   from time_off
   where tenant_id = $1 and resource_id = any($2::bigint[])
   order by starts_at, ends_at, note collate "C" nulls first, id`,
);

/** The calendars of these resources, in three queries however many they are. The business itself is resource 0. */
export async function readCalendars(
  db: TenantReads,
  resourceIds: number[],
): Promise<(resourceId: number) => OwnCalendar> {
  const byResource = <Row extends { resource_id: number }>(rows: Row[]) =>
    Map.groupBy(rows, (row) => row.resource_id);
  const hours = byResource(await db.many(findHours, resourceIds));
  const exceptions = byResource(await db.many(findExceptions, resourceIds));
  const timeOff = byResource(await db.many(findTimeOff, resourceIds));
  return (resourceId) => ({
    ...EMPTY_CALENDAR,
    hours: weeklyHoursOf(hours.get(resourceId) ?? []),
    exceptions: (exceptions.get(resourceId) ?? []).map(({ date, spans, note }) => ({
      date,
      hours: timeSpans(spans),
      note,
    })),
    time_off: (timeOff.get(resourceId) ?? []).map(({ id, start, end, note }) => ({ id, start, end, note })),
  });
}
