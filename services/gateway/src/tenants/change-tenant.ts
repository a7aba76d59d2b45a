import type { Database, TenantScope } from '@frontdesk/database';

/** Makes all gateways forget the cached keys of a tenant. */
export type Announce = (tenantId: number) => void;

/** Changes a tenant or its keys, then announces it, also if nothing was left to change: the announcement of an earlier change may be lost. */
export const changeAndAnnounce =
  ({ database, announce }: { database: Database; announce: Announce }) =>
  async <Result>(tenantId: number, change: (scope: TenantScope) => Promise<Result>): Promise<Result> => {
    const result = await change(database.forTenant(tenantId));
    announce(tenantId);
    return result;
  };
