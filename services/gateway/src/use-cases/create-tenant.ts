import type { CreateTenant, Tenant } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { insertTenant } from '../data/tenant.repository.ts';
import { tenantRecord } from '../domain/tenant.ts';

/** `tx` is of the tenant to be. */
export async function createTenant(tx: TenantTransaction, body: CreateTenant): Promise<Tenant> {
  const row = await insertTenant(tx, body);
  const data = tenantRecord(row);
  tx.emit('tenant.created', { aggregateId: tx.tenantId, version: row.version, data });
  return data;
}
