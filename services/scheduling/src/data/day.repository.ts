import { type TenantReads, tenantSql } from '@frontdesk/database';
import { wallInterval } from '@frontdesk/local-time';
import type { Calendar } from '../domain/calendar.ts';
import { BUSINESS } from '../domain/slot.ts';
import { type CalendarRow, calendarColumns, calendarsOf } from './calendar-columns.ts';

interface DayRow extends CalendarRow {
  name: string | null;
  is_active: boolean;
  /** Whether the resource can be booked or was asked for. The closures of the business apply in any case. */
  is_shown: boolean;
  notes: [start: string | null, end: string | null, note: string | null][];
}

// The business itself can be booked as long as it has no staff, and is a resource where it still has appointments.
const findDay = tenantSql<DayRow, [from: string, to: string, others: number[]]>(
  'day_resources',
  `with resources as materialized (
     select id, name, is_active, true as is_shown
     from staff where tenant_id = $1 and (is_active or id = any($4::bigint[]))
     union all
     select ${BUSINESS}, null, not has_staff, not has_staff or ${BUSINESS} = any($4::bigint[]) from (
       select exists (select from staff where tenant_id = $1 and deleted_at is null) as has_staff
     ) business
   )
   select resource.name, resource.is_active, resource.is_shown,
     coalesce((
       select json_agg(json_build_array(starts_at, ends_at, note) order by starts_at) from (
         select null::timestamp as starts_at, null::timestamp as ends_at, note from dated_hours
         where tenant_id = $1 and resource_id = resource.id and date = $2::date
         union all
         select starts_at, ends_at, note from time_off
         where tenant_id = $1 and resource_id = resource.id and ends_at > $2::date and starts_at < $3::date + 1
       ) noted
     ), '[]') as notes,
     ${calendarColumns('resource.id', '$2', '$3')}
   from resources resource
   order by not resource.is_active, resource.id`,
);

/** Who can be booked, and those of `others` who can't, with what their calendars say of one date. */
export async function listResourcesOfDay(
  db: TenantReads,
  { date, timezone, others }: { date: string; timezone: string; others: number[] },
) {
  const rows = await db.many(findDay, date, date, others);
  const calendars = await calendarsOf(rows, timezone);
  const business = rows.find(({ resource_id }) => resource_id === BUSINESS) as DayRow;
  return rows
    .filter(({ is_shown }) => is_shown)
    .map((row) => ({
      id: row.resource_id,
      name: row.name,
      is_active: row.is_active,
      calendar: calendars.get(row.resource_id) as Calendar,
      ...notesOf(row, business, timezone),
    }));
}

function notesOf(row: DayRow, business: DayRow, timezone: string) {
  if (!row.is_active) return { time_off: [], exception: null };
  const noted = row === business ? [row] : [business, row];
  const time_off = noted
    .flatMap(({ notes }) => notes)
    .flatMap(([start, end, note]) =>
      start === null || end === null ? [] : [{ ...wallInterval(start, end, timezone), note }],
    )
    .sort((a, b) => a.start - b.start);
  const exceptionOf = ({ notes }: DayRow) => notes.find(([start]) => start === null);
  const own = exceptionOf(row);
  const found = own ?? exceptionOf(business);
  const isOfBusiness = own === undefined || row === business;
  const exception = found === undefined ? null : { is_of_business: isOfBusiness, note: found[2] };
  return { time_off, exception };
}
