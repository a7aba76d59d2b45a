import type { Database } from '@frontdesk/database';
import { AppError, type Logger, type Loop } from '@frontdesk/service';
import type { CustomerLookup } from '../clients/crm.client.ts';
import { deferLinking, findCallsToLink } from '../data/due-call.repository.ts';
import { linkCall } from '../use-cases/link-call.ts';
import { createTenantLanes } from './tenant-lanes.ts';

/** Look-ups at crm at the same time. */
const LANES = 4;

/** Finds the customers of calls whose number wasn't known when they came in. */
export function createCallLinker(deps: {
  database: Database;
  customers: CustomerLookup;
  logger: Logger;
}): Loop {
  const { database, logger } = deps;
  return createTenantLanes({
    name: 'call linker',
    lanes: LANES,
    findDue: (without, limit) => findCallsToLink(database.system, without, limit),
    work: (call) => linkCall(deps, call),
    async defer({ tenant_id, id }, error) {
      // That crm can't say just now is no fault of the call's.
      if (!(error instanceof AppError))
        logger.error({ err: error, tenant_id, call_id: id }, 'call not linked');
      await deferLinking(database.forTenantInBackground(tenant_id), id);
    },
    logger,
  });
}
