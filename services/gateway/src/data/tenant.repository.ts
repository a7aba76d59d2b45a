import type { ListTenants } from '@frontdesk/contracts';
import { type Database, defineSystemList, systemSql, tenantSql } from '@frontdesk/database';
import { type TenantRow, tenantEntity } from './tenant.entity.ts';

const nextId = systemSql<{ id: number }>(
  'tenant_next_id',
  `select nextval(pg_get_serial_sequence('tenants', 'tenant_id')) as id`,
);

const readPage = defineSystemList<TenantRow & { id: number }, never, 'id' | 'updated_at'>({
  name: 'tenant_page',
  from: '(select *, tenant_id as id from tenants) tenants',
  columns: `id, tenant_id as "tenantId", name, plan, status, timezone, country, currency,
    raised_quotas as "raisedQuotas", version,
    created_at as "createdAt", updated_at as "updatedAt"`,
  filters: {},
  sorts: { id: { column: 'id' }, updated_at: { column: 'updated_at' } },
  defaultSort: '-id',
});

/** Locks the tenant's row until the transaction ends: changes of one tenant, and their events, come one by one. */
export const lockTenant = tenantSql<{ locked: true }>(
  'tenant_lock',
  'select true as locked from tenants where tenant_id = $1 for update',
);

export const isSuspended =
  (database: Database) =>
  async (tenantId: number): Promise<boolean> =>
    (await database.forTenant(tenantId).repository(tenantEntity).findOne({}))?.status === 'suspended';

/** What is asked about all tenants. One tenant's own row is read and written through its scope. */
export function createTenantRepository(database: Database) {
  const { system } = database;
  return {
    /** An id for a tenant to be: it has to be known before the scope that inserts the tenant can exist. */
    nextId: async () => (await system.one(nextId)).id,
    /** Newest first, unless the query says otherwise. */
    page: (query: ListTenants) => readPage(database, query, []),
  };
}

export type TenantRepository = ReturnType<typeof createTenantRepository>;
