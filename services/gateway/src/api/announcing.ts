import type { Database, TenantTransaction } from '@frontdesk/database';

/** Tells all gateways to forget what they remember of a tenant's access. */
export type Announce = (tenantId: number) => void;

/**
 * Changes of a tenant in one transaction, announced in the end. So is one that fails: an earlier one may have been committed and,
 * since its gateway was killed, not announced.
 */
export const announcing =
  ({ database, announce }: { database: Database; announce: Announce }) =>
  async <Result>(tenantId: number, change: (tx: TenantTransaction) => Promise<Result>): Promise<Result> => {
    try {
      return await database.forTenant(tenantId).transaction(change);
    } finally {
      announce(tenantId);
    }
  };
