import { isDeepStrictEqual } from 'node:util';
import type { Tenant, updateTenantBody } from '@frontdesk/contracts';
import type { TenantScope } from '@frontdesk/database';
import { notFound } from '@frontdesk/service';
import type { z } from 'zod';
import { tenantEntity, tenantRecord } from '../data/tenant.entity.ts';
import { lockTenant } from '../data/tenant.repository.ts';

/** Changes what a tenant may change of itself. Saying what is so already changes nothing and emits nothing. */
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
    const {
      name = before.name,
      plan = before.plan,
      status = before.status,
      timezone = before.timezone,
    } = changes;
    const wanted = { name, plan, status, timezone };
    if (isDeepStrictEqual({ ...before, ...wanted }, before)) return tenantRecord(before);

    const changed = { ...wanted, version: before.version + 1, updatedAt: new Date() };
    const after = { ...before, ...changed };
    await tenants.update({}, changed);
    const data = tenantRecord(after);
    await tx.emit('tenant.updated', { aggregateId: scope.tenantId, version: after.version, data });
    return data;
  });
  announce(scope.tenantId);
  return tenant;
}
