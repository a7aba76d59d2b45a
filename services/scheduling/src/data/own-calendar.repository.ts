import type { TimeOffRecord } from '@frontdesk/contracts';
import { type TenantReads, type TenantTransaction, tenantSql } from '@frontdesk/database';
import { timeSlices } from '@frontdesk/service';
import type { CalendarChange, OwnCalendar } from '../domain/own-calendar.ts';
import {
  type HoursEntry,
  hoursEntries,
  type SpanMinutes,
  spanMinutes,
  timeSpans,
  weeklyHoursOf,
} from '../domain/weekly-hours.ts';

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
    hours: weeklyHoursOf(hours.get(resourceId) ?? []),
    exceptions: (exceptions.get(resourceId) ?? []).map(({ date, spans, note }) => ({
      date,
      hours: timeSpans(spans),
      note,
    })),
    time_off: (timeOff.get(resourceId) ?? []).map(({ id, start, end, note }) => ({ id, start, end, note })),
  });
}

/** What replaces all that a table holds of some resources; `columns` are the others and what they hold. */
function replacement(table: string, columns: Record<string, string>) {
  const names = Object.keys(columns).join(', ');
  const types = Object.entries(columns).map((column) => column.join(' '));
  return {
    clear: tenantSql<never, [resourceIds: number[]]>(
      `${table}_clear`,
      `delete from ${table} where tenant_id = $1 and resource_id = any($2::bigint[])`,
    ),
    insert: tenantSql<never, [entries: string]>(
      `${table}_insert`,
      `insert into ${table} (tenant_id, resource_id, ${names})
       select $1, resource_id, ${names}
       from json_to_recordset($2::json) as entry(resource_id bigint, ${types.join(', ')})`,
    ),
  };
}

const HOURS = replacement('working_hours', {
  weekday: 'smallint',
  start_minute: 'smallint',
  end_minute: 'smallint',
});
const EXCEPTIONS = replacement('dated_hours', { date: 'date', spans: 'jsonb', note: 'text' });
const TIME_OFF = replacement('time_off', { starts_at: 'timestamp', ends_at: 'timestamp', note: 'text' });

async function replace(
  tx: TenantTransaction,
  { clear, insert }: ReturnType<typeof replacement>,
  changes: ReadonlyMap<number, CalendarChange>,
  rowsOf: (change: CalendarChange) => object[] | undefined,
): Promise<void> {
  const pause = timeSlices();
  const ids: number[] = [];
  const entries: string[] = [];
  for (const [resource_id, change] of changes) {
    const rows = rowsOf(change);
    if (rows === undefined) continue;
    ids.push(resource_id);
    for (const row of rows) entries.push(JSON.stringify({ resource_id, ...row }));
    await pause();
  }
  if (ids.length === 0) return;
  await tx.run(clear, ids);
  await tx.run(insert, `[${entries.join(',')}]`);
}

/** Replaces those parts of calendars that are given, in six statements however many they are. */
export async function replaceCalendars(
  tx: TenantTransaction,
  changes: ReadonlyMap<number, CalendarChange>,
): Promise<void> {
  await replace(tx, HOURS, changes, ({ hours }) => hours && hoursEntries(hours));
  await replace(tx, EXCEPTIONS, changes, ({ exceptions }) =>
    exceptions?.map(({ date, hours, note }) => ({ date, spans: spanMinutes(hours), note })),
  );
  await replace(tx, TIME_OFF, changes, ({ time_off }) =>
    time_off?.map(({ start, end, note }) => ({ starts_at: start, ends_at: end, note })),
  );
}
