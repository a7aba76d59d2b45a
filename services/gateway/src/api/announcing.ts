import type { Database, TenantScope } from '@frontdesk/database';

/** Tells all gateways to forget what they remember of a tenant's access. */
export type Announce = (tenantId: number) => void;

/** Changes a tenant, then announces it, also where nothing was left to change: an earlier change may not have been announced. */
export const announcing =
  ({ database, announce }: { database: Database; announce: Announce }) =>
  async <Result>(tenantId: number, change: (scope: TenantScope) => Promise<Result>): Promise<Result> => {
    const result = await change(database.forTenant(tenantId));
    announce(tenantId);
    return result;
  };
