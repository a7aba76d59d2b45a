import type { Tenant, updateTenantBody } from '@frontdesk/contracts';
import type { TenantScope } from '@frontdesk/database';
import { notFound } from '@frontdesk/service';
import type { z } from 'zod';
import { tenantEntity, tenantRecord } from '../data/tenant.entity.ts';
import { lockTenant } from '../data/tenant.repository.ts';

/** Changes plan or status. Saying what is so already changes nothing and emits nothing. */
export async function updateTenant(
  deps: { scope: TenantScope; announce: (tenantId: number) => void },
  changes: z.output<typeof updateTenantBody>,
): Promise<Tenant> {
  const { scope, announce } = deps;
  const tenant = await scope.transaction(async (tx) => {
    await tx.maybeOne(lockTenant);
    const tenants = tx.repository(tenantEntity);
    const before = await tenants.findOne({});
    if (!before) throw notFound('Tenant');
    const { plan = before.plan, status = before.status } = changes;
    if (plan === before.plan && status === before.status) return tenantRecord(before);

    const after = { ...before, plan, status, version: before.version + 1, updatedAt: new Date() };
    const { version, updatedAt } = after;
    await tenants.update({}, { plan, status, version, updatedAt });
    const data = tenantRecord(after);
    await tx.emit('tenant.updated', { aggregateId: scope.tenantId, version, data });
    return data;
  });
  announce(scope.tenantId);
  return tenant;
}
