import {
  PLAN_QUOTAS,
  type Plan,
  QUOTA_NAMES,
  type Quotas,
  type SettledLater,
  STORAGE_MARGIN,
  type StatedQuotas,
  type Tenant,
  type TenantView,
} from '@frontdesk/contracts';

export interface TenantRow {
  tenant_id: number;
  name: string;
  plan: Plan;
  status: Tenant['status'];
  timezone: string;
  country: string;
  currency: string;
  /** Quotas that the operator has raised. A plan that allows more overrides them. */
  raised_quotas: Partial<Quotas>;
  /** Quotas that are not in force yet, as it is not known how much the business has. */
  unsettled_quotas: SettledLater[];
  /** Whether nothing may be added to what it stores. */
  storage_full: boolean;
  version: number;
  created_at: Date;
  updated_at: Date;
}

/** For each quota, the plan's or the raised one, whichever is more. */
export function effectiveQuotas({ plan, raised_quotas: raised }: TenantRow): Quotas {
  const quotas: Quotas = { ...PLAN_QUOTAS[plan] };
  for (const name of QUOTA_NAMES) quotas[name] = Math.max(quotas[name], raised[name] ?? 0);
  return quotas;
}

/**
 * Whether a tenant that stores so much may add nothing. A tenant that is refused may add again once it stores no more than the quota.
 * None is refused while the quota is not in force.
 */
export function isStorageFull(row: TenantRow, used: number): boolean {
  if (row.unsettled_quotas.includes('stored_bytes')) return false;
  const allowed = effectiveQuotas(row).stored_bytes;
  return used > (row.storage_full ? allowed : allowed * STORAGE_MARGIN);
}

/** The quotas in force, for records and events. */
function statedQuotas(row: TenantRow): StatedQuotas {
  const quotas: StatedQuotas = effectiveQuotas(row);
  for (const name of row.unsettled_quotas) delete quotas[name];
  return quotas;
}

/** A tenant as the internal API and `tenant.*` events show it. */
export const tenantRecord = (row: TenantRow): Tenant => ({
  id: row.tenant_id,
  name: row.name,
  plan: row.plan,
  status: row.status,
  timezone: row.timezone,
  country: row.country,
  currency: row.currency,
  quotas: statedQuotas(row),
  ...(row.storage_full && { storage_full: true }),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

/** A tenant for projections: with the version that decides which of two is the later one. */
export const tenantViewRecord = (row: TenantRow): TenantView => ({
  ...tenantRecord(row),
  version: row.version,
});
