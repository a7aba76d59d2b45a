import { type QuotaName, quotasOf, type TenantView } from '@frontdesk/contracts';

/** How much of a quota a business has used. */
export interface QuotaUse {
  name: QuotaName;
  used: number;
  allowed: number;
}

const NEARLY = 0.8;

/** Null where the quota or the use is not known right now. */
export const quotaUse = (
  name: QuotaName,
  tenant: Pick<TenantView, 'plan' | 'quotas'> | null,
  used: number | undefined,
): QuotaUse | null =>
  tenant === null || used === undefined ? null : { name, used, allowed: quotasOf(tenant)[name] };

export const isNearlyFull = ({ used, allowed }: QuotaUse): boolean => used >= allowed * NEARLY;
export const isFull = (use: QuotaUse | null): boolean => use !== null && use.used >= use.allowed;

/** The number of active records: only these count. */
export const activeOf = (records: readonly { is_active: boolean }[] | null): number | undefined =>
  records?.filter(({ is_active }) => is_active).length;
