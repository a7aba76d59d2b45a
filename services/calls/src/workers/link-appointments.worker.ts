import type { Database } from '@frontdesk/database';
import { AppError, type Logger, type Loop } from '@frontdesk/service';
import type { AppointmentLookup } from '../clients/scheduling.client.ts';
import { deferAppointment, findAppointmentsToCheck } from '../data/due-call.repository.ts';
import { linkAppointment } from '../use-cases/link-appointment.ts';
import { createTenantLanes } from './tenant-lanes.ts';

/** Look-ups at scheduling at the same time. */
const LANES = 2;

const NOT_CHECKED = 'appointment of a call not checked';
const PASSING = [503, 504];

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
      const details = { err: error, tenant_id, call_id: id };
      if (!(error instanceof AppError)) logger.error(details, NOT_CHECKED);
      // That scheduling can't say just now passes; a wrong address or a role that is refused doesn't.
      else if (!PASSING.includes(error.status)) logger.warn(details, NOT_CHECKED);
      await deferAppointment(database.forTenantInBackground(tenant_id), id);
    },
    logger,
  });
}
