import type { AppointmentStatus } from '@frontdesk/contracts';
import {
  type SystemScope,
  systemSql,
  type TenantReads,
  type TenantTransaction,
  tenantSql,
} from '@frontdesk/database';
import { DAY_MS } from '@frontdesk/local-time';
import type {
  AppointmentRow,
  DayAppointmentRow,
  NamedAppointmentRow,
  UpcomingAppointmentRow,
} from '../domain/appointment.ts';
import type { Interval } from '../domain/interval.ts';
import { BUSINESS } from '../domain/slot.ts';

export const APPOINTMENTS_COUNTER = 'appointments';
export const NO_OVERLAP = 'appointments_no_overlap';
/** `holdsSlot` in SQL, as the index behind the constraint spells it: another wording would not be served by it. */
export const HOLDS_SLOT = `status in ('scheduled', 'completed')`;

export const APPOINTMENT_COLUMNS = `id, customer_id, service_id, staff_id, starts_at, ends_at, local_date,
    duration_minutes, buffer_before_minutes, buffer_after_minutes, timezone, status, notes, source, price_minor, currency, version,
    created_at, updated_at, cancelled_at`;

const findById = tenantSql<AppointmentRow, [id: number]>(
  'appointment_find',
  `select ${APPOINTMENT_COLUMNS} from appointments where tenant_id = $1 and id = $2`,
);

const lockById = tenantSql<AppointmentRow, [id: number]>(
  'appointment_lock',
  `select ${APPOINTMENT_COLUMNS} from appointments where tenant_id = $1 and id = $2 for update`,
);

const updateStatus = tenantSql<AppointmentRow, [id: number, status: AppointmentStatus, notes: string | null]>(
  'appointment_update_status',
  `update appointments
   set status = $3, notes = $4, version = version + 1, updated_at = now(),
     cancelled_at = case when $3 = 'cancelled' then coalesce(cancelled_at, now()) end
   where tenant_id = $1 and id = $2
   returning ${APPOINTMENT_COLUMNS}`,
);

interface DaysVersion {
  settings: number | null;
  services: number | null;
  staff: number | null;
  appointments: string | null;
}

export const findAppointment = (db: TenantReads, id: number) => db.maybeOne(findById, id);

/** Reads the row and holds it until the transaction ends. */
export const lockAppointment = (tx: TenantTransaction, id: number) => tx.maybeOne(lockById, id);

/** @throws a violation of `appointments_no_overlap` where the status takes a slot that somebody else has by now. */
export const updateAppointmentStatus = (
  tx: TenantTransaction,
  id: number,
  change: { status: AppointmentStatus; notes: string | null },
) => tx.one(updateStatus, id, change.status, change.notes);

const named = (
  columns: string,
) => `select ${columns.replaceAll(/\w+/g, 'appointment.$&')}, appointment.resource_id,
    service.name as service_name, member.name as staff_name
  from appointments appointment
  join services service on service.tenant_id = $1 and service.id = appointment.service_id
  left join staff member on member.tenant_id = $1 and member.id = appointment.staff_id
  where appointment.tenant_id = $1`;
const NAMED = named(APPOINTMENT_COLUMNS);
/** Notes are long, and are no part of a calendar. */
const NAMED_WITHOUT_NOTES = named(APPOINTMENT_COLUMNS.replace(/\bnotes, /, ''));

const findNamed = tenantSql<NamedAppointmentRow, [id: number]>(
  'appointment_find_named',
  `${NAMED} and appointment.id = $2`,
);

const findNamedByIds = tenantSql<NamedAppointmentRow, [ids: number[]]>(
  'appointments_find_named',
  `${NAMED} and appointment.id = any($2::bigint[]) order by appointment.starts_at, appointment.id`,
);

type Touching = [firstStart: Date, lastStart: Date, dayStart: Date, dayEnd: Date];
const TOUCHING = 'appointment.starts_at between $2 and $3 and appointment.occupied && tstzrange($4, $5)';

/** Of those that hold no slot: only these may be any number, as each leaves its slot to another. */
const MOST_WITHOUT_SLOT = 1_000;

const findTouching = tenantSql<DayAppointmentRow, Touching>(
  'day_appointments',
  `select * from (
     ${NAMED_WITHOUT_NOTES} and ${TOUCHING} and appointment.${HOLDS_SLOT}
     union all
     (${NAMED_WITHOUT_NOTES} and ${TOUCHING} and not appointment.${HOLDS_SLOT} order by appointment.id desc limit ${MOST_WITHOUT_SLOT})
   ) shown
   order by starts_at, id`,
);

// Rows of settings, services and staff stay and their versions only grow, so that no two states have the same sums. Each change of a
// calendar makes another version of its owner. Of appointments, which come and go, it takes each one's version.
const versionOfTouching = tenantSql<DaysVersion, Touching>(
  'days_version',
  `select
     (select version from booking_settings where tenant_id = $1) as settings,
     (select sum(version) from services where tenant_id = $1) as services,
     (select sum(version) from staff where tenant_id = $1) as staff,
     (select md5(string_agg(concat(appointment.id, ' ', appointment.version), ',' order by appointment.id))
      from appointments appointment where appointment.tenant_id = $1 and ${TOUCHING}) as appointments`,
);

export const findNamedAppointment = (db: TenantReads, id: number) => db.maybeOne(findNamed, id);

export const findNamedAppointments = (db: TenantReads, ids: number[]) => db.many(findNamedByIds, ids);

/** A visit, and the buffer on either side of it, lasts a day at most: what a service may ask for. */
const LONGEST_MS = DAY_MS;

const touching = ({ start, end }: Interval): Touching => [
  new Date(start - 2 * LONGEST_MS),
  new Date(end + LONGEST_MS),
  new Date(start),
  new Date(end),
];

/** Every appointment that holds a slot and touches the stretch with its time or its buffers, and the latest of the others, by start. */
export const listAppointmentsTouching = (db: TenantReads, stretch: Interval) =>
  db.many(findTouching, ...touching(stretch));

/** Another one whenever these appointments, or what the business is set up with, have changed. */
export const findDaysVersion = (db: TenantReads, stretch: Interval) =>
  db.one(versionOfTouching, ...touching(stretch));

const UPCOMING = `select id, resource_id, starts_at, duration_minutes from appointments
   where tenant_id = $1 and status = 'scheduled' and starts_at >= now()`;

const findOfMember = tenantSql<UpcomingAppointmentRow, [limit: number, staffId: number]>(
  'upcoming_of_member',
  `${UPCOMING} and resource_id = $3 order by starts_at, id limit $2`,
);

const findOfAll = tenantSql<UpcomingAppointmentRow, [limit: number]>(
  'upcoming_of_all',
  `${UPCOMING} and (resource_id = ${BUSINESS} or exists (
     select from staff where staff.tenant_id = $1 and staff.id = appointments.resource_id and staff.is_active))
   order by starts_at, id limit $2`,
);

/** The next scheduled appointments of a staff member; of everybody who is active and of the business itself, where that is asked for. */
export const listUpcomingAppointments = (db: TenantReads, resourceId: number, limit: number) =>
  resourceId === BUSINESS ? db.many(findOfAll, limit) : db.many(findOfMember, limit, resourceId);

const findAfter = systemSql<
  AppointmentRow & { tenant_id: number },
  [afterTenant: number, afterId: number, limit: number]
>(
  'snapshot_appointments',
  `select tenant_id, ${APPOINTMENT_COLUMNS} from appointments
   where (tenant_id, id) > ($1, $2)
   order by tenant_id, id
   limit $3`,
);

/** Appointments of all tenants by tenant and id, from the first after the given one. */
export const listAppointmentsAfter = (
  system: SystemScope,
  after: { tenantId: number; id: number },
  limit: number,
) => system.many(findAfter, after.tenantId, after.id, limit);
