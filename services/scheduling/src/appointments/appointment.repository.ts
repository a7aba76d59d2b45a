import type { AppointmentStatus, ListAppointments } from '@frontdesk/contracts';
import {
  type Database,
  defineList,
  type SystemScope,
  systemSql,
  type TenantReads,
  type TenantTransaction,
  tenantSql,
} from '@frontdesk/database';
import { currentCustomer, type Merge, REWRITTEN_TOGETHER } from '@frontdesk/merges';
import { KEPT_APART } from '../availability/busy.repository.ts';
import { BUSINESS } from '../working-hours/calendar.rules.ts';
import type {
  AppointmentChange,
  AppointmentRow,
  NamedAppointmentRow,
  UnversionedFields,
  UpcomingAppointmentRow,
} from './appointment.rules.ts';

/** Of a row that is no hold. By the status, which indexes have: counts need not read the rows. */
export const IS_APPOINTMENT = `status not in ('held', 'expired')`;

export const APPOINTMENTS_COUNTER = 'appointments';
export const NO_OVERLAP = 'appointments_no_overlap';

export const APPOINTMENT_COLUMNS = `id, customer_id, service_id, staff_id, starts_at, ends_at, local_date,
    duration_minutes, buffer_before_minutes, buffer_after_minutes, timezone, status, notes, source, price_minor, currency, version,
    created_at, updated_at, cancelled_at, arrived_at, cancellation_reason`;

const findById = tenantSql<AppointmentRow, { id: number }>(
  'appointment_find',
  `select ${APPOINTMENT_COLUMNS} from appointments where tenant_id = $tenantId and id = $id and ${IS_APPOINTMENT}`,
);

const lockById = tenantSql<AppointmentRow, { id: number }>(
  'appointment_lock',
  `select ${APPOINTMENT_COLUMNS} from appointments where tenant_id = $tenantId and id = $id and ${IS_APPOINTMENT} for update`,
);

/** Sets `UnversionedFields`. The time of the first arrival stays. */
export const SET_UNVERSIONED = `arrived_at = case when $isArrived then
       case when ${KEPT_APART} then coalesce(arrived_at, now()) else now() end
     end,
     cancellation_reason = $cancellationReason`;

/** Sets what every change of the record has changed: also whose it is, where the customer has become part of another one. */
export const SET_CHANGED = `version = version + 1, updated_at = now(),
     customer_id = ${currentCustomer('$tenantId', 'appointments.customer_id')}`;

const updateRow = tenantSql<
  AppointmentRow,
  UnversionedFields & { id: number; status: AppointmentStatus; notes: string | null; priceMinor: number }
>(
  'appointment_update',
  `update appointments
   set status = $status, notes = $notes, price_minor = $priceMinor, ${SET_CHANGED},
     cancelled_at = case when $status = 'cancelled' then coalesce(cancelled_at, now()) end, ${SET_UNVERSIONED}
   where tenant_id = $tenantId and id = $id
   returning ${APPOINTMENT_COLUMNS}`,
);

// The record is as before, and so are its version and its last event.
const updateUnversioned = tenantSql<AppointmentRow, UnversionedFields & { id: number }>(
  'appointment_mark',
  `update appointments set ${SET_UNVERSIONED} where tenant_id = $tenantId and id = $id returning ${APPOINTMENT_COLUMNS}`,
);

export const findAppointment = (db: TenantReads, id: number) => db.maybeOne(findById, { id });

/** Reads the row and holds it until the transaction ends. */
export const lockAppointment = (tx: TenantTransaction, id: number) => tx.maybeOne(lockById, { id });

/** @throws a violation of `appointments_no_overlap` where the status takes a slot that somebody else has by now. */
export const updateAppointment = (
  tx: TenantTransaction,
  id: number,
  { status, notes, terms: { priceMinor }, isArrived, cancellationReason }: AppointmentChange,
) => tx.one(updateRow, { id, status, notes, priceMinor, isArrived, cancellationReason });

export const updateUnversionedFields = (
  tx: TenantTransaction,
  id: number,
  { isArrived, cancellationReason }: UnversionedFields,
) => tx.one(updateUnversioned, { id, isArrived, cancellationReason });

// Locks all before it changes one: nobody waits for its changes while it still waits for locks.
const rewriteCustomer = tenantSql<never, Merge>(
  'appointments_rewrite_customer',
  `update appointments set customer_id = $mergedInto, version = version + 1, updated_at = clock_timestamp()
   where tenant_id = $tenantId and id = any(array(
     select id from appointments where tenant_id = $tenantId and customer_id = $id
     order by starts_at desc, id limit ${REWRITTEN_TOGETHER} for update))`,
);

/** Has appointments of a merged customer name the one that they are part of, without an event. @returns how many */
export const rewriteAppointments = (tx: TenantTransaction, merge: Merge) => tx.run(rewriteCustomer, merge);

/** That are counted of one customer: some have no end of them, and a week has thousands of appointments. */
const MAX_NO_SHOWS = 100;

/** `missed.customer_no_shows` of an `appointment`. */
export const JOIN_NO_SHOWS = `cross join lateral (
    select count(*) as customer_no_shows from (
      select from appointments no_show
      where no_show.tenant_id = $tenantId and no_show.customer_id = appointment.customer_id and no_show.status = 'no_show'
      limit ${MAX_NO_SHOWS}
    ) counted
  ) missed`;

const NAMED = `select ${APPOINTMENT_COLUMNS.replaceAll(/\w+/g, 'appointment.$&')}, appointment.resource_id,
    service.name as service_name, member.name as staff_name, missed.customer_no_shows
  from appointments appointment
  join services service on service.tenant_id = $tenantId and service.id = appointment.service_id
  left join staff member on member.tenant_id = $tenantId and member.id = appointment.staff_id
  ${JOIN_NO_SHOWS}
  where appointment.tenant_id = $tenantId and appointment.${IS_APPOINTMENT}`;

const findNamed = tenantSql<NamedAppointmentRow, { id: number }>(
  'appointment_find_named',
  `${NAMED} and appointment.id = $id`,
);

const findNamedByIds = tenantSql<NamedAppointmentRow, { ids: number[] }>(
  'appointments_find_named',
  `${NAMED} and appointment.id = any($ids::bigint[]) order by appointment.starts_at, appointment.id`,
);

const findKnown = tenantSql<{ id: number }, { ids: number[] }>(
  'appointments_find_known',
  `select id from appointments where tenant_id = $tenantId and id = any($ids::bigint[]) and ${IS_APPOINTMENT} order by id`,
);

/** The ids among these that are appointments. */
export const findKnownAppointments = async (db: TenantReads, ids: number[]) =>
  (await db.many(findKnown, { ids })).map(({ id }) => id);

export const findNamedAppointment = (db: TenantReads, id: number) => db.maybeOne(findNamed, { id });

export const findNamedAppointments = (db: TenantReads, ids: number[]) => db.many(findNamedByIds, { ids });

const UPCOMING = `select id, resource_id, starts_at, duration_minutes from appointments
   where tenant_id = $tenantId and status = 'scheduled' and starts_at >= now()`;

const findOfMember = tenantSql<UpcomingAppointmentRow, { limit: number; staffId: number }>(
  'upcoming_of_member',
  `${UPCOMING} and resource_id = $staffId order by starts_at, id limit $limit`,
);

const findOfAll = tenantSql<UpcomingAppointmentRow, { limit: number }>(
  'upcoming_of_all',
  `${UPCOMING} and (resource_id = ${BUSINESS} or exists (
     select from staff where staff.tenant_id = $tenantId and staff.id = appointments.resource_id and staff.is_active))
   order by starts_at, id limit $limit`,
);

/** The next scheduled appointments of a staff member; of everybody who is active and of the business itself, where that is asked for. */
export const listUpcomingAppointments = (db: TenantReads, resourceId: number, limit: number) =>
  resourceId === BUSINESS
    ? db.many(findOfAll, { limit })
    : db.many(findOfMember, { limit, staffId: resourceId });

const findAfter = systemSql<
  AppointmentRow & { tenant_id: number },
  { afterTenant: number; afterId: number; limit: number }
>(
  'snapshot_appointments',
  `select tenant_id, ${APPOINTMENT_COLUMNS} from appointments
   where (tenant_id, id) > ($afterTenant, $afterId) and ${IS_APPOINTMENT}
   order by tenant_id, id
   limit $limit`,
);

/** Appointments of all tenants by tenant and id, from the first after the given one. */
export const listAppointmentsAfter = (
  system: SystemScope,
  after: { tenantId: number; id: number },
  limit: number,
) => system.many(findAfter, { afterTenant: after.tenantId, afterId: after.id, limit });

const readPage = defineList<
  AppointmentRow,
  'status' | 'date' | 'staff' | 'customer' | 'coming' | 'not_coming',
  'starts_at' | 'updated_at'
>({
  name: 'appointments',
  from: 'appointments',
  onlyWhere: IS_APPOINTMENT,
  columns: APPOINTMENT_COLUMNS,
  counter: APPOINTMENTS_COUNTER,
  filters: {
    status: 'status = $status',
    date: 'local_date = $date',
    staff: 'resource_id = $staffId',
    customer: 'customer_id = $customerId',
    // Each lets an index be entered where it begins, as one condition for both would not.
    coming: `status = 'scheduled' and starts_at >= now()`,
    not_coming: `(status <> 'scheduled' or starts_at < now())`,
  },
  sorts: {
    starts_at: { column: 'starts_at', hasIdsReversed: true },
    updated_at: { column: 'updated_at' },
  },
  defaultSort: '-starts_at',
});

/** One page, by start descending and then id unless the query says otherwise. */
export const listAppointments = (database: Database, tenantId: number, query: ListAppointments) =>
  readPage(database, tenantId, query, [
    ['status', { status: query.status }],
    ['date', { date: query.date }],
    ['staff', { staffId: query.staff_id }],
    ['customer', { customerId: query.customer_id }],
    ...(query.is_coming === undefined ? [] : [[query.is_coming ? 'coming' : 'not_coming', {}] as const]),
  ]);
