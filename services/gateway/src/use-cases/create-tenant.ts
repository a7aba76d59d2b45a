import type { createTenantBody, Tenant } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import type { z } from 'zod';
import { tenantEntity, tenantRecord } from '../data/tenant.entity.ts';
import type { TenantRepository } from '../data/tenant.repository.ts';

export async function createTenant(
  deps: { database: Database; tenants: TenantRepository },
  body: z.output<typeof createTenantBody>,
): Promise<Tenant> {
  const tenantId = await deps.tenants.nextId();
  return deps.database.forTenant(tenantId).transaction(async (tx) => {
    const row = await tx.repository(tenantEntity).insert({ ...body, raisedQuotas: {} });
    const data = tenantRecord(row);
    tx.emit('tenant.created', { aggregateId: tenantId, version: row.version, data });
    return data;
  });
}
