import { NEARLY_USED, nearQuota, type QuotaName, quotaInForce, type TenantView } from '@frontdesk/contracts';

/** How much of a quota a business has used. */
export interface QuotaUse {
  name: QuotaName;
  used: number;
  allowed: number;
  isNearlyFull: boolean;
}

/** Null where the quota or the use is not known right now, and where the quota is not in force. */
export function quotaUse(
  name: QuotaName,
  tenant: Pick<TenantView, 'plan' | 'quotas'> | null,
  used: number | undefined,
): QuotaUse | null {
  const allowed = tenant && quotaInForce(name, tenant);
  if (tenant === null || allowed === null || used === undefined) return null;
  return {
    name,
    used,
    allowed,
    isNearlyFull: nearQuota({ quota: name, used }, tenant, NEARLY_USED) !== null,
  };
}

export const isFull = (use: Pick<QuotaUse, 'used' | 'allowed'> | null): boolean =>
  use !== null && use.used >= use.allowed;

/** The number of active records: only these count. */
export const activeOf = (records: readonly { is_active: boolean }[] | null): number | undefined =>
  records?.filter(({ is_active }) => is_active).length;
