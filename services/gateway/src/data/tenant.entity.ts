import {
  PLAN_QUOTAS,
  type Plan,
  QUOTA_NAMES,
  type Quotas,
  type Tenant,
  type TenantView,
} from '@frontdesk/contracts';
import { EntitySchema } from 'typeorm';

export interface TenantRow {
  tenantId: number;
  name: string;
  plan: Plan;
  status: 'active' | 'suspended';
  timezone: string;
  country: string;
  currency: string;
  /** Quotas that the operator has raised. A plan that allows more overrides them. */
  raisedQuotas: Partial<Quotas>;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

export const tenantEntity = new EntitySchema<TenantRow>({
  name: 'tenant',
  tableName: 'tenants',
  columns: {
    tenantId: { name: 'tenant_id', type: 'bigint', primary: true },
    name: { type: 'text' },
    plan: { type: 'text' },
    status: { type: 'text', default: 'active' },
    timezone: { type: 'text' },
    country: { type: 'text' },
    currency: { type: 'text' },
    raisedQuotas: { name: 'raised_quotas', type: 'jsonb', default: {} },
    version: { type: 'int', default: 1 },
    createdAt: { name: 'created_at', type: 'timestamptz', createDate: true },
    updatedAt: { name: 'updated_at', type: 'timestamptz', updateDate: true },
  },
});

/** For each quota, the plan's or the raised one, whichever is more. */
export function effectiveQuotas({ plan, raisedQuotas }: Pick<TenantRow, 'plan' | 'raisedQuotas'>): Quotas {
  const quotas: Quotas = { ...PLAN_QUOTAS[plan] };
  for (const name of QUOTA_NAMES) quotas[name] = Math.max(quotas[name], raisedQuotas[name] ?? 0);
  return quotas;
}

/** A tenant as the internal API and `tenant.*` events show it. */
export const tenantRecord = (row: TenantRow): Tenant => ({
  id: row.tenantId,
  name: row.name,
  plan: row.plan,
  status: row.status,
  timezone: row.timezone,
  country: row.country,
  currency: row.currency,
  quotas: effectiveQuotas(row),
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
});

/** A tenant for projections: with the version that decides which of two is the later one. */
export const tenantViewRecord = (row: TenantRow): TenantView => ({
  ...tenantRecord(row),
  version: row.version,
});
