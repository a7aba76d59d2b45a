import type { Database, TenantTransaction } from '@frontdesk/database';
import { AppError, isAway, type Logger, type Loop } from '@frontdesk/service';
import { lockCall } from '../calls/call.repository.ts';
import {
  deferAppointment,
  denyAppointment,
  findAppointmentsToCheck,
  findStatedAppointment,
} from '../calls/due-call.repository.ts';
import { writeCall } from '../calls/write-call.ts';
import type { DueRow } from '../due-rows/due-row.repository.ts';
import { workDueRows } from '../due-rows/work-due-rows.ts';
import type { AppointmentLookup } from './scheduling.client.ts';

/** Look-ups at scheduling at the same time. */
const CONCURRENCY = 2;

const NOT_CHECKED = 'appointment of a call not checked';

/** Finds out whether the appointments that messages state are the tenant's. */
export function createAppointmentLinker(deps: {
  database: Database;
  appointments: AppointmentLookup;
  logger: Logger;
}): Loop {
  const { database, logger } = deps;
  return workDueRows({
    name: 'appointment linker',
    concurrency: CONCURRENCY,
    findDue: (without, limit) => findAppointmentsToCheck(database.system, without, limit),
    work: (call) => linkAppointment(deps, call),
    async defer({ tenant_id, id }, error) {
      const details = { err: error, tenant_id, call_id: id };
      if (!(error instanceof AppError)) logger.error(details, NOT_CHECKED);
      // Scheduling comes back by itself; a wrong address or a refused role stays until somebody mends it.
      else if (!isAway(error)) logger.warn(details, NOT_CHECKED);
      await deferAppointment(database.forTenantInBackground(tenant_id), id);
    },
    logger,
  });
}

/**
 * Links a call to the appointment that its messages state, if the tenant has it. A no is not final at once: the call may be told of
 * before its appointment can be seen. No lock is held while scheduling is asked.
 * @throws AppError when scheduling can't say
 */
async function linkAppointment(
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
