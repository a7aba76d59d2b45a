import type { PageQuery } from '@frontdesk/contracts';
import { type Database, systemSql, tenantSql } from '@frontdesk/database';
import type { TenantRow } from './tenant.entity.ts';

const nextId = systemSql<{ id: number }>(
  'tenant_next_id',
  `select nextval(pg_get_serial_sequence('tenants', 'tenant_id')) as id`,
);

const selectPage = systemSql<TenantRow, [limit: number, offset: number]>(
  'tenant_page',
  `select tenant_id as "tenantId", name, plan, status, timezone, country, currency, version,
          created_at as "createdAt", updated_at as "updatedAt"
   from tenants order by tenant_id desc limit $1 offset $2`,
);

const countAll = systemSql<{ total: number }>('tenant_count', 'select count(*) as total from tenants');

/** Locks the tenant's row until the transaction ends: changes of one tenant, and their events, come one by one. */
export const lockTenant = tenantSql<{ locked: true }>(
  'tenant_lock',
  'select true as locked from tenants where tenant_id = $1 for update',
);

/** What is asked about all tenants. One tenant's own row is read and written through its scope. */
export function createTenantRepository({ system }: Database) {
  return {
    /** An id for a tenant to be: it has to be known before the scope that inserts the tenant can exist. */
    nextId: async () => (await system.one(nextId)).id,
    async page({ page, per_page }: PageQuery): Promise<{ rows: TenantRow[]; total: number }> {
      const [rows, { total }] = await Promise.all([
        system.many(selectPage, per_page, (page - 1) * per_page),
        system.one(countAll),
      ]);
      return { rows, total };
    },
  };
}

export type TenantRepository = ReturnType<typeof createTenantRepository>;
