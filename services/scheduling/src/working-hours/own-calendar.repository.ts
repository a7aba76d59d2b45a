import type { DatedHours, TimeOff, TimeOffRecord } from '@frontdesk/contracts';
import { type TenantReads, type TenantTransaction, tenantSql } from '@frontdesk/database';
import { timeSlices } from '@frontdesk/service';
import { BUSINESS } from './calendar.rules.ts';
import type { CalendarChange, OwnCalendar } from './own-calendar.rules.ts';
import {
  type HoursEntry,
  hoursEntries,
  type SpanMinutes,
  spanMinutes,
  timeSpans,
  weeklyHoursOf,
  wholeWeek,
} from './weekly-hours.rules.ts';

type OfResource<Row> = Row & { resource_id: number };

const findHours = tenantSql<OfResource<HoursEntry>, { resourceIds: number[] }>(
  'calendar_hours',
  `select resource_id, weekday, start_minute, end_minute from working_hours
   where tenant_id = $tenantId and resource_id = any($resourceIds::bigint[])
   order by weekday, start_minute`,
);

const findExceptions = tenantSql<
  OfResource<{ date: string; spans: SpanMinutes[]; note: string | null }>,
  { resourceIds: number[] }
>(
  'calendar_exceptions',
  `select resource_id, date, spans, note from dated_hours
   where tenant_id = $tenantId and resource_id = any($resourceIds::bigint[])
   order by date`,
);

const findTimeOff = tenantSql<OfResource<TimeOffRecord>, { resourceIds: number[] }>(
  'calendar_time_off',
  `select resource_id, id, to_char(starts_at, 'YYYY-MM-DD"T"HH24:MI') as start,
     to_char(ends_at, 'YYYY-MM-DD"T"HH24:MI') as end, note
   from time_off
   where tenant_id = $tenantId and resource_id = any($resourceIds::bigint[])
   order by starts_at, ends_at, note collate "C" nulls first, id`,
);

/** The calendars of these resources, in three queries however many they are. The business itself is resource 0. */
export async function readCalendars(
  db: TenantReads,
  resourceIds: number[],
): Promise<(resourceId: number) => OwnCalendar> {
  const byResource = <Row extends { resource_id: number }>(rows: Row[]) =>
    Map.groupBy(rows, (row) => row.resource_id);
  const hours = byResource(await db.many(findHours, { resourceIds }));
  const exceptions = byResource(await db.many(findExceptions, { resourceIds }));
  const timeOff = byResource(await db.many(findTimeOff, { resourceIds }));
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
    clear: tenantSql<never, { resourceIds: number[] }>(
      `${table}_clear`,
      `delete from ${table} where tenant_id = $tenantId and resource_id = any($resourceIds::bigint[])`,
    ),
    insert: tenantSql<never, { entries: string }>(
      `${table}_insert`,
      `insert into ${table} (tenant_id, resource_id, ${names})
       select $tenantId, resource_id, ${names}
       from json_to_recordset($entries::json) as entry(resource_id bigint, ${types.join(', ')})`,
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
  await tx.run(clear, { resourceIds: ids });
  await tx.run(insert, { entries: `[${entries.join(',')}]` });
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

const putException = tenantSql<
  never,
  { resourceId: number; date: string; spans: string; note: string | null }
>(
  'dated_hours_put',
  `insert into dated_hours (tenant_id, resource_id, date, spans, note) values ($tenantId, $resourceId, $date, $spans, $note)
   on conflict (tenant_id, resource_id, date) do update set spans = excluded.spans, note = excluded.note
   where (dated_hours.spans, dated_hours.note) is distinct from (excluded.spans, excluded.note)`,
);

const removeException = tenantSql<never, { resourceId: number; date: string }>(
  'dated_hours_remove',
  'delete from dated_hours where tenant_id = $tenantId and resource_id = $resourceId and date = $date',
);

const insertTimeOffRow = tenantSql<
  { id: number },
  { resourceId: number; start: string; end: string; note: string | null }
>(
  'time_off_add',
  `insert into time_off (tenant_id, resource_id, starts_at, ends_at, note) values ($tenantId, $resourceId, $start, $end, $note)
   returning id`,
);

const removeTimeOff = tenantSql<never, { resourceId: number; id: number }>(
  'time_off_remove',
  'delete from time_off where tenant_id = $tenantId and resource_id = $resourceId and id = $id',
);

/** Whether that changed anything. */
export const saveException = async (
  tx: TenantTransaction,
  resourceId: number,
  { date, hours, note }: DatedHours,
): Promise<boolean> =>
  (await tx.run(putException, { resourceId, date, spans: JSON.stringify(spanMinutes(hours)), note })) > 0;

/** Whether there was one; so for `deleteTimeOff`. */
export const deleteException = async (
  tx: TenantTransaction,
  resourceId: number,
  date: string,
): Promise<boolean> => (await tx.run(removeException, { resourceId, date })) > 0;

export const insertTimeOff = async (
  tx: TenantTransaction,
  resourceId: number,
  { start, end, note }: TimeOff,
): Promise<number> => (await tx.one(insertTimeOffRow, { resourceId, start, end, note })).id;

export const deleteTimeOff = async (
  tx: TenantTransaction,
  resourceId: number,
  id: number,
): Promise<boolean> => (await tx.run(removeTimeOff, { resourceId, id })) > 0;

const listHoursOfStaff = tenantSql<{ id: number; entries: HoursEntry[] }>(
  'staff_hours_list',
  `select staff.id, coalesce((
     select json_agg(hours order by hours.weekday, hours.start_minute)
     from (
       select weekday, start_minute, end_minute from working_hours
       where tenant_id = $tenantId
         and resource_id = case when staff.follows_business_hours then ${BUSINESS} else staff.id end
     ) hours
   ), '[]') as entries
   from staff
   where staff.tenant_id = $tenantId and staff.deleted_at is null
   order by staff.id`,
);

/** Weekly hours of all staff, inactive ones too, by id; the business's for those who follow them. */
export const listStaffHours = async (db: TenantReads) =>
  (await db.many(listHoursOfStaff)).map(({ id, entries }) => ({
    id,
    hours: wholeWeek(weeklyHoursOf(entries)),
  }));

const findOwnHoursOfStaff = tenantSql<HoursEntry>(
  'staff_own_hours_find',
  `select distinct hours.weekday, hours.start_minute, hours.end_minute
   from staff join working_hours hours on hours.tenant_id = $tenantId and hours.resource_id = staff.id
   where staff.tenant_id = $tenantId and staff.is_active and not staff.follows_business_hours`,
);

/** Weekly hours of active staff with hours of their own, without duplicates. */
export const findOwnHoursOfActiveStaff = (db: TenantReads): Promise<HoursEntry[]> =>
  db.many(findOwnHoursOfStaff);
