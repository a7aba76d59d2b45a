import {
  PLAN_QUOTAS,
  type Plan,
  QUOTA_NAMES,
  type Quotas,
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

/** A tenant as the internal API and `tenant.*` events show it. */
export const tenantRecord = (row: TenantRow): Tenant => ({
  id: row.tenant_id,
  name: row.name,
  plan: row.plan,
  status: row.status,
  timezone: row.timezone,
  country: row.country,
  currency: row.currency,
  quotas: effectiveQuotas(row),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

/** A tenant for projections: with the version that decides which of two is the later one. */
export const tenantViewRecord = (row: TenantRow): TenantView => ({
  ...tenantRecord(row),
  version: row.version,
});
