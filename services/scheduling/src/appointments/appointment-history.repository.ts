import { MAX_APPOINTMENT_HISTORY } from '@frontdesk/contracts';
import { type TenantReads, type TenantTransaction, tenantSql } from '@frontdesk/database';
import { IS_APPOINTMENT } from './appointment.repository.ts';
import type { AppointmentRow } from './appointment.rules.ts';
import { type Actor, type HistoryRow, historyChanges } from './appointment-history.rules.ts';

// What it adds is not among what it looks for: so many less one are kept of those before. Its row is locked, so ids and times have one order.
const add = tenantSql<
  never,
  { appointmentId: number; role: string; actorId: number | null; changes: string }
>(
  'appointment_history_add',
  `with added as (
     insert into appointment_history (tenant_id, appointment_id, at, role, actor_id, changes)
     values ($tenantId, $appointmentId, clock_timestamp(), $role, $actorId, $changes::jsonb)
   )
   delete from appointment_history
   where tenant_id = $tenantId and appointment_id = $appointmentId and id <= (
     select id from appointment_history where tenant_id = $tenantId and appointment_id = $appointmentId
     order by id desc offset ${MAX_APPOINTMENT_HISTORY - 1} limit 1)`,
);

const list = tenantSql<HistoryRow, { id: number }>(
  'appointment_history_list',
  `select at, role, actor_id, 'changed' as kind, changes, id
   from appointment_history where tenant_id = $tenantId and appointment_id = $id
   union all
   select created_at, booked_role, booked_by, 'booked', '[]'::jsonb, 0
   from appointments where tenant_id = $tenantId and id = $id and ${IS_APPOINTMENT}
   order by id desc`,
);

/** Lock the appointment first. It goes with what is sent next; a change that nobody sees is none. */
export function addToHistory(
  tx: TenantTransaction,
  { before, after, by }: { before: AppointmentRow; after: AppointmentRow; by: Actor },
): void {
  const changes = historyChanges(before, after);
  if (changes.length === 0) return;
  tx.send(add, {
    appointmentId: after.id,
    role: by.role,
    actorId: by.id,
    changes: JSON.stringify(changes),
  });
}

/** The latest first, the booking last; empty where there is no such appointment. */
export const listAppointmentHistory = (db: TenantReads, id: number) => db.many(list, { id });
