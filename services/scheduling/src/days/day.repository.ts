import type { StaffColor } from '@frontdesk/contracts';
import { type TenantReads, tenantSql } from '@frontdesk/database';
import { wallInterval } from '@frontdesk/local-time';
import { DEFAULT_BOOKING_SETTINGS } from '../booking-settings/booking-settings.rules.ts';
import type { Calendar } from '../working-hours/calendar.rules.ts';
import { BUSINESS } from '../working-hours/calendar.rules.ts';
import {
  type CalendarRow,
  calendarColumns,
  calendarsOf,
} from '../working-hours/calendar-columns.repository.ts';

interface DayRow extends CalendarRow {
  name: string | null;
  is_active: boolean;
  color: StaffColor | null;
  picture_version: number | null;
  slot_step_minutes: number | null;
  /** Of dates with other hours, and of time off. */
  notes: [
    date: string | null,
    start: string | null,
    end: string | null,
    note: string | null,
    id: number | null,
  ][];
}

/** `Y-m-dTH:i`. */
const wallMinute = (timestamp: string) => `to_char(${timestamp}, 'YYYY-MM-DD"T"HH24:MI')`;

// The business itself can be booked as long as it has no staff. Its closures apply in any case.
const findDays = tenantSql<DayRow, { from: string; to: string; others: number[] }>(
  'days_resources',
  `with resources as materialized (
     select id, name, is_active, color, (
       select picture.version from staff_pictures picture where picture.tenant_id = $tenantId and picture.staff_id = staff.id
     ) as picture_version
     from staff where tenant_id = $tenantId and (is_active or id = any($others::bigint[]))
     union all
     select ${BUSINESS}, null, not exists (select from staff where tenant_id = $tenantId and deleted_at is null), null, null
   )
   select resource.name, resource.is_active, resource.color, resource.picture_version,
     (select slot_step_minutes from booking_settings where tenant_id = $tenantId) as slot_step_minutes,
     coalesce((
       select json_agg(json_build_array(date, start, "end", note, id) order by start) from (
         select date, null as start, null as "end", note, null::bigint as id from dated_hours
         where tenant_id = $tenantId and resource_id = resource.id and date between $from::date and $to::date
         union all
         select null, ${wallMinute('starts_at')}, ${wallMinute('ends_at')}, note, id from time_off
         where tenant_id = $tenantId and resource_id = resource.id and ends_at > $from::date and starts_at < $to::date + 1
       ) noted
     ), '[]') as notes,
     ${calendarColumns('resource.id', '$from', '$to')}
   from resources resource
   order by not resource.is_active, resource.id`,
);

/** The step of slots; and who can be booked, the business itself and those of `others`, with what their calendars say of the dates. */
export async function findResourcesOfDays(
  db: TenantReads,
  { from, to, timezone, others }: { from: string; to: string; timezone: string; others: number[] },
) {
  const rows = await db.many(findDays, { from, to, others });
  const calendars = await calendarsOf(rows, timezone);
  const business = rows.find(({ resource_id }) => resource_id === BUSINESS) as DayRow;
  return {
    slotStepMinutes: business.slot_step_minutes ?? DEFAULT_BOOKING_SETTINGS.slot_step_minutes,
    resources: rows.map((row) => ({
      id: row.resource_id,
      name: row.name,
      is_active: row.is_active,
      color: row.color,
      picture_version: row.picture_version,
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
    .flatMap((owner) =>
      owner.notes.flatMap(([, start, end, note, id]) => {
        if (start === null || end === null || id === null) return [];
        const entry = { id, start, end, is_of_business: owner === business };
        return [{ ...wallInterval(start, end, timezone), note, entry }];
      }),
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
