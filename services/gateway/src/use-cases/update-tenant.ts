import { isDeepStrictEqual } from 'node:util';
import type { updateTenantBody } from '@frontdesk/contracts';
import type { TenantScope } from '@frontdesk/database';
import { notFound, type RequireVersion } from '@frontdesk/service';
import type { z } from 'zod';
import { type TenantRow, tenantEntity, tenantRecord } from '../data/tenant.entity.ts';
import { lockTenant } from '../data/tenant.repository.ts';

/**
 * Changes what may be changed of a tenant. Saying what is so already changes nothing and emits nothing.
 * @throws AppError `not_found`, `precondition_failed`
 */
export async function updateTenant(
  deps: { scope: TenantScope; announce: (tenantId: number) => void },
  changes: z.output<typeof updateTenantBody>,
  requireVersion: RequireVersion,
): Promise<TenantRow> {
  const { scope, announce } = deps;
  const tenant = await scope.transaction(async (tx) => {
    await tx.maybeOne(lockTenant);
    const tenants = tx.repository(tenantEntity);
    const before = await tenants.findOne({});
    if (!before) throw notFound('Tenant');
    requireVersion(before.version);
    const {
      name = before.name,
      plan = before.plan,
      status = before.status,
      timezone = before.timezone,
    } = changes;
    const wanted = { name, plan, status, timezone };
    if (isDeepStrictEqual({ ...before, ...wanted }, before)) return before;

    const changed = { ...wanted, version: before.version + 1, updatedAt: new Date() };
    const after = { ...before, ...changed };
    await tenants.update({}, changed);
    tx.emit('tenant.updated', {
      aggregateId: scope.tenantId,
      version: after.version,
      data: tenantRecord(after),
    });
    return after;
  });
  announce(scope.tenantId);
  return tenant;
}
