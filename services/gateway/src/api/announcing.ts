import type { Database, TenantTransaction } from '@frontdesk/database';

/** Tells all gateways to forget what they remember of a tenant's access. */
export type Announce = (tenantId: number) => void;

/** Changes a tenant in one transaction, then announces it, also where nothing was left to change: an earlier one may not have been. */
export const announcing =
  ({ database, announce }: { database: Database; announce: Announce }) =>
  async <Result>(tenantId: number, change: (tx: TenantTransaction) => Promise<Result>): Promise<Result> => {
    const result = await database.forTenant(tenantId).transaction(change);
    announce(tenantId);
    return result;
  };
