import type { Database } from '@frontdesk/database';
import { AppError, type Logger, type Loop } from '@frontdesk/service';
import type { AppointmentLookup } from '../clients/scheduling.client.ts';
import { deferAppointment, findAppointmentsToCheck } from '../data/due-call.repository.ts';
import { linkAppointment } from '../use-cases/link-appointment.ts';
import { createTenantLanes } from './tenant-lanes.ts';

/** Look-ups at scheduling at the same time. */
const LANES = 2;

/** Finds out whether the appointments that messages state are the tenant's. */
export function createAppointmentLinker(deps: {
  database: Database;
  appointments: AppointmentLookup;
  logger: Logger;
}): Loop {
  const { database, logger } = deps;
  return createTenantLanes({
    name: 'appointment linker',
    lanes: LANES,
    findDue: (without, limit) => findAppointmentsToCheck(database.system, without, limit),
    work: (call) => linkAppointment(deps, call),
    async defer({ tenant_id, id }, error) {
      // That scheduling can't say just now is no fault of the call's.
      if (!(error instanceof AppError))
        logger.error({ err: error, tenant_id, call_id: id }, 'appointment of a call not checked');
      await deferAppointment(database.forTenantInBackground(tenant_id), id);
    },
    logger,
  });
}
