import { type TenantTransaction, tenantSql } from '@frontdesk/database';
import { findEndpoint } from './endpoint.repository.ts';

const holdToChange = tenantSql<never, { id: number }>(
  'endpoints_hold',
  'select from endpoints where tenant_id = $tenantId and id = $id for update',
);
const holdToUse = tenantSql<never, { id: number }>(
  'endpoints_hold_shared',
  'select from endpoints where tenant_id = $tenantId and id = $id for share',
);

const holdCount = tenantSql<never>(
  'endpoints_hold_count',
  `select pg_advisory_xact_lock(hashtextextended('webhooks.endpoints', $tenantId::bigint))`,
);
// A statement of its own: it sees what was there once the lock was granted.
const countKept = tenantSql<{ count: number }>(
  'endpoints_count',
  'select count(*) as count from endpoints where tenant_id = $tenantId and deleted_at is null',
);

/** The endpoint, held until the transaction ends: nobody changes, disables or deletes it meanwhile. */
export async function lockEndpoint(tx: TenantTransaction, id: number) {
  await tx.run(holdToChange, { id });
  return findEndpoint(tx, id);
}

/** As `lockEndpoint`, beside others who use it as it is. */
export async function shareEndpoint(tx: TenantTransaction, id: number) {
  await tx.run(holdToUse, { id });
  return findEndpoint(tx, id);
}

/** How many endpoints the tenant has; until the transaction ends, others wait for the number. */
export async function countEndpointsLocked(tx: TenantTransaction): Promise<number> {
  await tx.run(holdCount);
  return (await tx.one(countKept)).count;
}
