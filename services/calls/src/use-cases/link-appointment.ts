import type { Database, TenantTransaction } from '@frontdesk/database';
import type { AppointmentLookup } from '../clients/scheduling.client.ts';
import { lockCall } from '../data/call.repository.ts';
import { denyAppointment, findStatedAppointment } from '../data/due-call.repository.ts';
import type { DueRow } from '../data/longest-due.ts';
import { writeCall } from './write-call.ts';

/**
 * Links a call to the appointment that its messages state, if the tenant has it. A no is not final at once: the call may be told of
 * before its appointment can be seen. No lock is held while scheduling is asked.
 * @throws AppError when scheduling can't say
 */
export async function linkAppointment(
  { database, appointments }: { database: Database; appointments: AppointmentLookup },
  { tenant_id, id }: DueRow,
): Promise<void> {
  const scope = database.forTenantInBackground(tenant_id);
  const stated = await findStatedAppointment(scope, id);
  if (stated === null) return;
  const isKnown = await appointments.isKnown(tenant_id, stated);
  await scope.transaction((tx) => writeAnswer(tx, id, { stated, isKnown }));
}

async function writeAnswer(
  tx: TenantTransaction,
  id: number,
  { stated, isKnown }: { stated: number; isKnown: boolean },
): Promise<void> {
  const call = await lockCall(tx, id);
  // Another message may state another one by now, or another process have had the answer.
  if (call?.appointment_id !== stated || call.checked_appointment_id === stated) return;
  const isFinal = isKnown || (await denyAppointment(tx, id));
  const state = {
    ...call,
    linked_appointment_id: isKnown ? stated : null,
    checked_appointment_id: isFinal ? stated : null,
  };
  await writeCall(tx, call, state, { isLinkDue: call.is_link_due, isAppointmentAwaited: false });
}
