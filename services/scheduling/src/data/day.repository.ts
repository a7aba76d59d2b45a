import { type TenantReads, tenantSql } from '@frontdesk/database';
import { DAY_MS, wallInterval } from '@frontdesk/local-time';
import type { Calendar } from '../domain/calendar.ts';
import type { NamedAppointmentRow } from '../domain/day.ts';
import type { Interval } from '../domain/interval.ts';
import { BUSINESS } from '../domain/slot.ts';
import { APPOINTMENT_COLUMNS } from './appointment.repository.ts';
import { type CalendarRow, calendarColumns, calendarsOf } from './calendar-columns.ts';

const NAMED = `select ${APPOINTMENT_COLUMNS.replaceAll(/\w+/g, 'appointment.$&')}, appointment.resource_id,
    service.name as service_name, member.name as staff_name
  from appointments appointment
  join services service on service.tenant_id = $1 and service.id = appointment.service_id
  left join staff member on member.tenant_id = $1 and member.id = appointment.staff_id
  where appointment.tenant_id = $1`;

const findNamed = tenantSql<NamedAppointmentRow, [id: number]>(
  'appointment_find_named',
  `${NAMED} and appointment.id = $2`,
);

const findNamedByIds = tenantSql<NamedAppointmentRow, [ids: number[]]>(
  'appointments_find_named',
  `${NAMED} and appointment.id = any($2::bigint[]) order by appointment.starts_at, appointment.id`,
);

const findTouching = tenantSql<
  NamedAppointmentRow,
  [firstStart: Date, lastStart: Date, dayStart: Date, dayEnd: Date]
>(
  'day_appointments',
  `${NAMED} and appointment.starts_at between $2 and $3 and appointment.occupied && tstzrange($4, $5)
   order by appointment.starts_at, appointment.id`,
);

export const findNamedAppointment = (db: TenantReads, id: number) => db.maybeOne(findNamed, id);

export const findNamedAppointments = (db: TenantReads, ids: number[]) => db.many(findNamedByIds, ids);

/** A visit, and the buffer on either side of it, lasts a day at most: what a service may ask for. */
const LONGEST_MS = DAY_MS;

/** Whatever its status, every appointment that touches the stretch with its time or its buffers, by start. */
export const listAppointmentsTouching = (db: TenantReads, { start, end }: Interval) =>
  db.many(
    findTouching,
    new Date(start - 2 * LONGEST_MS),
    new Date(end + LONGEST_MS),
    new Date(start),
    new Date(end),
  );

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
  if (!row.is_active) return { timeOff: [], exception: null };
  const noted = row === business ? [row] : [business, row];
  const timeOff = noted
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
  return { timeOff, exception };
}
