import { EntitySchema } from 'typeorm';
import type { TenantRow } from './tenant.rules.ts';

export const tenantEntity = new EntitySchema<TenantRow>({
  name: 'tenant',
  tableName: 'tenants',
  columns: {
    tenant_id: { type: 'bigint', primary: true },
    name: { type: 'text' },
    plan: { type: 'text' },
    status: { type: 'text', default: 'active' },
    timezone: { type: 'text' },
    country: { type: 'text' },
    currency: { type: 'text' },
    raised_quotas: { type: 'jsonb', default: {} },
    unsettled_quotas: { type: 'text', array: true },
    storage_full: { type: 'boolean', default: false },
    version: { type: 'int', version: true },
    created_at: { type: 'timestamptz', createDate: true },
    updated_at: { type: 'timestamptz', updateDate: true },
  },
});
