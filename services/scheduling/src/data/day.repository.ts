import { type TenantReads, tenantSql } from '@frontdesk/database';
import { wallInterval } from '@frontdesk/local-time';
import type { Calendar } from '../domain/calendar.ts';
import { DEFAULT_SETTINGS } from '../domain/settings.ts';
import { BUSINESS } from '../domain/slot.ts';
import { type CalendarRow, calendarColumns, calendarsOf } from './calendar-columns.ts';

interface DayRow extends CalendarRow {
  name: string | null;
  is_active: boolean;
  slot_step_minutes: number | null;
  /** Of dates with other hours, and of time off. */
  notes: [date: string | null, start: string | null, end: string | null, note: string | null][];
}

// The business itself can be booked as long as it has no staff. Its closures apply in any case.
const findDays = tenantSql<DayRow, [from: string, to: string, others: number[]]>(
  'days_resources',
  `with resources as materialized (
     select id, name, is_active
     from staff where tenant_id = $1 and (is_active or id = any($4::bigint[]))
     union all
     select ${BUSINESS}, null, not exists (select from staff where tenant_id = $1 and deleted_at is null)
   )
   select resource.name, resource.is_active,
     (select slot_step_minutes from booking_settings where tenant_id = $1) as slot_step_minutes,
     coalesce((
       select json_agg(json_build_array(date, starts_at, ends_at, note) order by starts_at) from (
         select date, null::timestamp as starts_at, null::timestamp as ends_at, note from dated_hours
         where tenant_id = $1 and resource_id = resource.id and date between $2::date and $3::date
         union all
         select null, starts_at, ends_at, note from time_off
         where tenant_id = $1 and resource_id = resource.id and ends_at > $2::date and starts_at < $3::date + 1
       ) noted
     ), '[]') as notes,
     ${calendarColumns('resource.id', '$2', '$3')}
   from resources resource
   order by not resource.is_active, resource.id`,
);

/** The step of slots; and who can be booked, the business itself and those of `others`, with what their calendars say of the dates. */
export async function findResourcesOfDays(
  db: TenantReads,
  { from, to, timezone, others }: { from: string; to: string; timezone: string; others: number[] },
) {
  const rows = await db.many(findDays, from, to, others);
  const calendars = await calendarsOf(rows, timezone);
  const business = rows.find(({ resource_id }) => resource_id === BUSINESS) as DayRow;
  return {
    slotStepMinutes: business.slot_step_minutes ?? DEFAULT_SETTINGS.slot_step_minutes,
    resources: rows.map((row) => ({
      id: row.resource_id,
      name: row.name,
      is_active: row.is_active,
      calendar: calendars.get(row.resource_id) as Calendar,
      time_off: timeOffOf(row, business, timezone),
      exceptionOn: (date: string) => exceptionOf(row, business, date),
    })),
  };
}

/** With notes; the business's and their own. */
const timeOffOf = (row: DayRow, business: DayRow, timezone: string) =>
  (row.is_active ? new Set([business, row]) : new Set<DayRow>())
    .values()
    .flatMap(({ notes }) => notes)
    .flatMap(([, start, end, note]) =>
      start === null || end === null ? [] : [{ ...wallInterval(start, end, timezone), note }],
    )
    .toArray()
    .sort((a, b) => a.start - b.start);

/** Why the date has other hours than its weekday. */
function exceptionOf(row: DayRow, business: DayRow, date: string) {
  if (!row.is_active) return null;
  const onDate = ({ notes }: DayRow) => notes.find(([of]) => of === date);
  const own = onDate(row);
  const found = own ?? onDate(business);
  return found ? { is_of_business: own === undefined || row === business, note: found[3] } : null;
}
