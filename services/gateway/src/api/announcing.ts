import type { Database, TenantTransaction } from '@frontdesk/database';

/** Tells all gateways to forget what they remember of a tenant's access. */
export type Announce = (tenantId: number) => void;

/** Changes a tenant in one transaction, then announces it; also after a failure, for an earlier change may be unannounced. */
export const announcing =
  ({ database, announce }: { database: Database; announce: Announce }) =>
  async <Result>(tenantId: number, change: (tx: TenantTransaction) => Promise<Result>): Promise<Result> => {
    try {
      return await database.forTenant(tenantId).transaction(change);
    } finally {
      announce(tenantId);
    }
  };
