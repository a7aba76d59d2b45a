import type { Database, TenantTransaction } from '@frontdesk/database';
import { AppError, type Logger, type Loop } from '@frontdesk/service';
import { lockCall } from '../calls/call.repository.ts';
import { deferLinking, findCallsToLink, findCallToLink } from '../calls/due-call.repository.ts';
import {
  deferProbe,
  findTenantsToProbe,
  parkCall,
  probeParkedCall,
  unparkCalls,
} from '../calls/parked-call.repository.ts';
import { writeCall } from '../calls/write-call.ts';
import type { DueRow } from '../due-rows/due-row.repository.ts';
import { workDueRows } from '../due-rows/work-due-rows.ts';
import type { CustomerLookup } from './crm.client.ts';
import { findCustomerByNumber } from './customer-number.repository.ts';
import { type CustomerAnswer, findLink } from './find-link.ts';

/** Look-ups at crm at the same time. */
const CONCURRENCY = 4;

/**
 * Finds the customers of calls whose number wasn't known when they came in. Where a business has no quota left for new ones, it asks for one call
 * at times, and goes on with the others once crm has answered that.
 */
export function createCallLinker(deps: {
  database: Database;
  customers: CustomerLookup;
  logger: Logger;
}): Loop {
  const { database, logger } = deps;
  const scopeOf = ({ tenant_id }: DueRow) => database.forTenantInBackground(tenant_id);
  const linker = workDueRows({
    name: 'call linker',
    concurrency: CONCURRENCY,
    findDue: (without, limit) => findCallsToLink(database.system, without, limit),
    work: (call) => linkCall(deps, call),
    async defer(call, error) {
      // That crm can't say just now is no fault of the call's.
      if (!(error instanceof AppError))
        logger.error({ err: error, tenant_id: call.tenant_id, call_id: call.id }, 'call not linked');
      await deferLinking(scopeOf(call), call.id);
    },
    logger,
  });
  const prober = workDueRows({
    name: 'parked calls',
    concurrency: 1,
    findDue: (without, limit) => findTenantsToProbe(database.system, without, limit),
    async work(tenant) {
      if (await scopeOf(tenant).transaction(probeParkedCall)) linker.wake();
    },
    async defer(tenant, error) {
      logger.error({ err: error, tenant_id: tenant.tenant_id }, 'parked call not probed');
      await deferProbe(scopeOf(tenant));
    },
    logger,
  });
  return {
    ...linker,
    start: async () => void (await Promise.all([linker.start(), prober.start()])),
    stop: async () => void (await Promise.all([linker.stop(), prober.stop()])),
  };
}

/**
 * Links a call that has no customer yet to the one with its number. Crm is asked where the number isn't known here, and
 * no lock is held meanwhile.
 * @throws AppError when crm can't say
 */
async function linkCall(
  { database, customers }: { database: Database; customers: CustomerLookup },
  { tenant_id, id }: DueRow,
): Promise<void> {
  const scope = database.forTenantInBackground(tenant_id);
  const call = await findCallToLink(scope, id);
  if (!call) return;
  const { customer_number: number, creates_lead: create } = call;
  const isKnown = (await findCustomerByNumber(scope, number)) !== null;
  const customerId = isKnown ? null : await customers.byPhone(tenant_id, number, { create });
  if (customerId === 'quota_full') {
    await scope.transaction((tx) => goOnWithout(tx, id, number));
    return;
  }
  await scope.transaction(async (tx) => {
    await writeLink(tx, id, isKnown ? null : { number, customerId });
    if (call.has_waited && !isKnown) await unparkCalls(tx);
  });
}

/**
 * Nobody can say when there will be quota for a new customer, so the end of the call does not wait for that. Where the call has another
 * number by now it stays due, and where the number has become known it is linked.
 */
async function goOnWithout(tx: TenantTransaction, id: number, asked: string): Promise<void> {
  const call = await lockCall(tx, id);
  if (!call?.is_link_due || call.customer_number !== asked) return;
  const { customer_id, isLinkDue } = await findLink(tx, call, asked, null);
  await writeCall(tx, call, { ...call, customer_id }, { isLinkDue, isLinkAwaited: false });
  if (isLinkDue) await parkCall(tx, id);
}

async function writeLink(tx: TenantTransaction, id: number, answer: CustomerAnswer | null): Promise<void> {
  const call = await lockCall(tx, id);
  if (!call) return;
  const { customer_id, isLinkDue } = await findLink(tx, call, call.customer_number, answer);
  await writeCall(tx, call, { ...call, customer_id }, { isLinkDue });
}
