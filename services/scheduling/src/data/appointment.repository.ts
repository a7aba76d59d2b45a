import type { AppointmentStatus } from '@frontdesk/contracts';
import { type TenantReads, type TenantTransaction, tenantSql } from '@frontdesk/database';
import type { AppointmentRow } from '../domain/appointment.ts';

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
