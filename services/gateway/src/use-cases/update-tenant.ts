import { isDeepStrictEqual } from 'node:util';
import {
  PLAN_QUOTAS,
  type Plan,
  QUOTA_NAMES,
  type Quotas,
  type updateTenantBody,
} from '@frontdesk/contracts';
import type { TenantScope } from '@frontdesk/database';
import { invalid, notFound, type RequireVersion } from '@frontdesk/service';
import type { z } from 'zod';
import { type TenantRow, tenantEntity, tenantRecord } from '../data/tenant.entity.ts';
import { lockTenant } from '../data/tenant.repository.ts';

/**
 * Changes what may be changed of a tenant. Saying what is so already changes nothing and emits nothing.
 * @throws AppError `not_found`, `precondition_failed`; `validation_failed` for a quota below the plan's
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
    const raisedQuotas = raised(before.raisedQuotas, plan, changes.quotas);
    const wanted = { name, plan, status, timezone, raisedQuotas };
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

/** The raised quotas after these changes. */
function raised(
  before: Partial<Quotas>,
  plan: Plan,
  changes: z.output<typeof updateTenantBody>['quotas'] = {},
): Partial<Quotas> {
  const quotas = { ...before };
  for (const name of QUOTA_NAMES) {
    const wanted = changes[name];
    if (wanted === null) delete quotas[name];
    if (wanted === null || wanted === undefined) continue;
    const planned = PLAN_QUOTAS[plan][name];
    if (wanted < planned) throw invalid({ [name]: [`The plan ${plan} allows ${planned} already.`] });
    quotas[name] = wanted;
  }
  return quotas;
}
