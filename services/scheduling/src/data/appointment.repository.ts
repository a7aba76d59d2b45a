import type { AppointmentStatus } from '@frontdesk/contracts';
import {
  type SystemScope,
  systemSql,
  type TenantReads,
  type TenantTransaction,
  tenantSql,
} from '@frontdesk/database';
import type { AppointmentRow, NamedAppointmentRow, UpcomingAppointmentRow } from '../domain/appointment.ts';
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

export const findAppointment = (db: TenantReads, id: number) => db.maybeOne(findById, id);

/** Reads the row and holds it until the transaction ends. */
export const lockAppointment = (tx: TenantTransaction, id: number) => tx.maybeOne(lockById, id);

/** @throws a violation of `appointments_no_overlap` where the status takes a slot that somebody else has by now. */
export const updateAppointmentStatus = (
  tx: TenantTransaction,
  id: number,
  change: { status: AppointmentStatus; notes: string | null },
) => tx.one(updateStatus, id, change.status, change.notes);

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

const findKnown = tenantSql<{ id: number }, [ids: number[]]>(
  'appointments_find_known',
  'select id from appointments where tenant_id = $1 and id = any($2::bigint[]) order by id',
);

/** The ids among these that are appointments. */
export const findKnownAppointments = async (db: TenantReads, ids: number[]) =>
  (await db.many(findKnown, ids)).map(({ id }) => id);

export const findNamedAppointment = (db: TenantReads, id: number) => db.maybeOne(findNamed, id);

export const findNamedAppointments = (db: TenantReads, ids: number[]) => db.many(findNamedByIds, ids);

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
