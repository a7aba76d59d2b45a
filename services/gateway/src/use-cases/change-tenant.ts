import { PLAN_QUOTAS, type Plan, QUOTA_NAMES, type Quotas, type UpdateTenant } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { changesOf, invalid, notFound, type RequireVersion } from '@frontdesk/service';
import { lockTenant, updateTenant } from '../data/tenant.repository.ts';
import { type TenantRow, tenantRecord } from '../domain/tenant.ts';

/**
 * Changes what may be changed of a tenant. Saying what is so already changes nothing and emits nothing.
 * @throws AppError `not_found`, `precondition_failed`; `validation_failed` for a quota below the plan's
 */
export async function changeTenant(
  tx: TenantTransaction,
  { quotas, ...fields }: UpdateTenant,
  requireVersion: RequireVersion,
): Promise<TenantRow> {
  const before = await lockTenant(tx);
  if (!before) throw notFound('Tenant');
  requireVersion(before.version);
  const raised_quotas = raised(before.raised_quotas, fields.plan ?? before.plan, quotas);
  const changes = changesOf<TenantRow>(before, { ...fields, raised_quotas });
  if (!changes) return before;

  const after = await updateTenant(tx, changes);
  tx.emit('tenant.updated', {
    aggregateId: tx.tenantId,
    version: after.version,
    data: tenantRecord(after),
  });
  return after;
}

/** The raised quotas after these changes. */
function raised(before: Partial<Quotas>, plan: Plan, changes: UpdateTenant['quotas'] = {}): Partial<Quotas> {
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
