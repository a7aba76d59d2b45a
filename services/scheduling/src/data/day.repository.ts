import { tenantSql } from '@frontdesk/database';
import type { AppointmentRow } from '../domain/appointment.ts';
import type { Calendar } from '../domain/calendar.ts';
import type { Interval } from '../domain/interval.ts';
import { wallInterval } from '../domain/local-day.ts';
import { BUSINESS } from '../domain/slot.ts';
import { DAY_MS } from '../domain/time-units.ts';
import { APPOINTMENT_COLUMNS } from './appointment.repository.ts';
import { type CalendarRows, calendarColumns, calendarsOf } from './calendar-columns.ts';
import type { TenantReads } from './tenant-reads.ts';

/** An appointment with what it is and who has it, by name. */
export interface NamedAppointmentRow extends AppointmentRow {
  resource_id: number;
  service_name: string;
  staff_name: string | null;
}

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

const findTouching = tenantSql<
  NamedAppointmentRow,
  [firstStart: Date, lastStart: Date, dayStart: Date, dayEnd: Date]
>(
  'day_appointments',
  `${NAMED} and appointment.starts_at between $2 and $3 and appointment.occupied && tstzrange($4, $5)
   order by appointment.starts_at, appointment.id`,
);

export const findNamedAppointment = (db: TenantReads, id: number) => db.maybeOne(findNamed, id);

/** A visit, and the buffer on either side of it, lasts a day at most: what a service may ask for. */
const LONGEST_MS = DAY_MS;

/** Whatever its status, every appointment that touches the stretch with its time or its buffers, by start. */
export const appointmentsTouching = (db: TenantReads, { start, end }: Interval) =>
  db.many(
    findTouching,
    new Date(start - 2 * LONGEST_MS),
    new Date(end + LONGEST_MS),
    new Date(start),
    new Date(end),
  );

interface DayResource {
  id: number;
  name: string | null;
  is_active: boolean;
}

interface DayRow extends CalendarRows {
  resources: DayResource[];
  notes: [resourceId: number, start: string | null, end: string | null, note: string | null][];
}

const RESOURCES = 'select id from resources where is_active';

// The business itself can be booked as long as it has no staff, and is a resource where it still has appointments.
const findDay = tenantSql<DayRow, [from: string, to: string, others: number[]]>(
  'day_resources',
  `with resources as materialized (
     select id, name, is_active from staff where tenant_id = $1 and (is_active or id = any($4::bigint[]))
     union all
     select ${BUSINESS}, null, not has_staff from (
       select exists (select from staff where tenant_id = $1 and deleted_at is null) as has_staff
     ) business where not has_staff or ${BUSINESS} = any($4::bigint[])
   )
   select coalesce((select json_agg(resources order by not is_active, id) from resources), '[]') as resources,
     coalesce((
       select json_agg(json_build_array(resource_id, starts_at, ends_at, note) order by starts_at) from (
         select resource_id, null::timestamp as starts_at, null::timestamp as ends_at, note from dated_hours
         where tenant_id = $1 and resource_id in (select ${BUSINESS} union all ${RESOURCES}) and date = $2::date
         union all
         select resource_id, starts_at, ends_at, note from time_off
         where tenant_id = $1 and resource_id in (select ${BUSINESS} union all ${RESOURCES})
           and ends_at > $2::date and starts_at < $3::date + 1
       ) noted
     ), '[]') as notes,
     ${calendarColumns(RESOURCES, '$2', '$3')}`,
);

/** Who can be booked, and those of `others` who can't, with what their calendars say of one date. */
export async function resourcesOfDay(
  db: TenantReads,
  { date, timezone, others }: { date: string; timezone: string; others: number[] },
) {
  const row = await db.one(findDay, date, date, others);
  const calendars = calendarsOf(
    row,
    row.resources.map(({ id }) => id),
    timezone,
  );
  return row.resources.map((resource) => ({
    ...resource,
    calendar: calendars.get(resource.id) as Calendar,
    ...notesOf(row.notes, resource, timezone),
  }));
}

function notesOf(notes: DayRow['notes'], { id, is_active }: DayResource, timezone: string) {
  const own = notes.filter(([resourceId]) => is_active && (resourceId === id || resourceId === BUSINESS));
  const timeOff = own.flatMap(([, start, end, note]) =>
    start === null || end === null ? [] : [{ ...wallInterval(start, end, timezone), note }],
  );
  const exceptions = own.filter(([, start]) => start === null);
  const [of, , , note] = exceptions.find(([resourceId]) => resourceId === id) ?? exceptions[0] ?? [];
  const exception = of === undefined ? null : { is_of_business: of === BUSINESS, note: note ?? null };
  return { timeOff, exception };
}
