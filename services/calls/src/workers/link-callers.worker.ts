import type { Database } from '@frontdesk/database';
import { AppError, type Logger, loop, type Part } from '@frontdesk/service';
import type { CustomerLookup } from '../clients/crm.client.ts';
import { type CallToLink, deferLinking, findCallsToLink } from '../data/due-call.repository.ts';
import { linkCall } from '../use-cases/link-call.ts';

const INTERVAL_MS = 1_000;
const BATCH = 20;

/** Asks crm for the customers of calls that came in while it was away. */
export function createCallerLinker(deps: {
  database: Database;
  customers: CustomerLookup;
  logger: Logger;
}): Part {
  const { database, customers, logger } = deps;

  const link = async ({ tenant_id, id, customer_number: number, creates_leads: create }: CallToLink) => {
    const customerId = await customers.byPhone(tenant_id, number, { create });
    await database.forTenant(tenant_id).transaction((tx) => linkCall(tx, id, { number, customerId }));
  };

  return loop({
    name: 'caller linker',
    intervalMs: INTERVAL_MS,
    logger,
    async run(signal) {
      if (customers.isAway()) return false;
      const due = await findCallsToLink(database.system, BATCH);
      for (const call of due) {
        if (signal.aborted || customers.isAway()) return false;
        try {
          await link(call);
        } catch (error) {
          if (!(error instanceof AppError))
            logger.error({ err: error, tenant_id: call.tenant_id, call_id: call.id }, 'call not linked');
          await deferLinking(database, call);
        }
      }
      return due.length === BATCH;
    },
  });
}
