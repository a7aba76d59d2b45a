import { crmRoutes, MAX_CUSTOMER_TOTALS } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type Logger, type Loop, loop, requestOf, type ServiceClient } from '@frontdesk/service';
import { forEachTenant, nullWhileAway, settleQuota } from './settle-quota.ts';
import { listUnsettled } from './tenant.repository.ts';

const INTERVAL_MS = 60_000;

/**
 * Puts the quota of customers in force for tenants that are older than it. Only crm knows how many customers they have. It refuses none
 * while a tenant's record names no quota, so gateway and crm can be upgraded in either order.
 */
export function createQuotaSettler(deps: { database: Database; crm: ServiceClient; logger: Logger }): Loop {
  const { database, crm, logger } = deps;
  return loop({
    name: 'quota settler',
    intervalMs: INTERVAL_MS,
    logger,
    async run(signal) {
      let tenantIds: number[] = [];
      do {
        const after = tenantIds.at(-1) ?? 0;
        tenantIds = await listUnsettled(database.system, 'customers', after, MAX_CUSTOMER_TOTALS);
        if (tenantIds.length === 0) return;
        const totals = await findCustomerTotals(crm, tenantIds).catch(nullWhileAway(logger));
        if (totals === null) return;
        await forEachTenant({ database, logger, signal }, tenantIds, (tx) =>
          settleQuota(tx, 'customers', totals.get(tx.tenantId) ?? 0),
        );
      } while (tenantIds.length === MAX_CUSTOMER_TOTALS && !signal.aborted);
    },
  });
}

/** Asks crm how many customers tenants have. @throws AppError when crm does not answer */
async function findCustomerTotals(
  crm: ServiceClient,
  tenantIds: number[],
): Promise<ReadonlyMap<number, number>> {
  const asked = { body: { tenant_ids: tenantIds } };
  const totals = await crm.request(requestOf(crmRoutes.countCustomersOfTenants, asked));
  return new Map(totals.map(({ tenant_id, customers }) => [tenant_id, customers]));
}
