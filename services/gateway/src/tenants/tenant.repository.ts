import type { CreateTenant, ListTenants, SettledLater } from '@frontdesk/contracts';
import {
  type Database,
  defineSystemList,
  type SystemScope,
  systemSql,
  type TenantReads,
  type TenantTransaction,
  tenantSql,
} from '@frontdesk/database';
import { tenantEntity } from './tenant.entity.ts';
import type { TenantRow } from './tenant.rules.ts';

const nextId = systemSql<{ id: number }>(
  'tenant_next_id',
  `select nextval(pg_get_serial_sequence('tenants', 'tenant_id')) as id`,
);

const readPage = defineSystemList<TenantRow & { id: number }, never, 'id' | 'updated_at'>({
  name: 'tenant_page',
  from: '(select *, tenant_id as id from tenants) tenants',
  columns:
    'id, tenant_id, name, plan, status, timezone, country, currency, raised_quotas, unsettled_quotas, storage_full, version, created_at, updated_at',
  filters: {},
  sorts: { id: { column: 'id' }, updated_at: { column: 'updated_at' } },
  defaultSort: '-id',
});

const lock = tenantSql<never>('tenant_lock', 'select from tenants where tenant_id = $tenantId for update');

/** An id for a tenant to be: it has to be known before the scope that inserts the tenant can exist. */
export const nextTenantId = async (system: SystemScope) => (await system.one(nextId)).id;

/** All tenants, newest first, unless the query says otherwise. */
export const listTenants = (database: Database, query: ListTenants) => readPage(database, query, []);

export const findTenant = (db: TenantReads) => db.repository(tenantEntity).findOne({});

/** Until the transaction ends, changes of this tenant and their events wait. */
export async function lockTenant(tx: TenantTransaction): Promise<TenantRow | null> {
  await tx.run(lock);
  return findTenant(tx);
}

export const insertTenant = (tx: TenantTransaction, body: CreateTenant) =>
  tx.repository(tenantEntity).insert({ ...body, raised_quotas: {}, unsettled_quotas: [] });

/** Lock the row first. */
export const updateTenant = (tx: TenantTransaction, change: Partial<TenantRow>) =>
  tx.repository(tenantEntity).updateOne({}, change);

const findUnsettled = systemSql<{ tenant_id: number }, { quota: SettledLater; after: number; limit: number }>(
  'tenants_find_unsettled',
  'select tenant_id from tenants where $quota = any(unsettled_quotas) and tenant_id > $after order by tenant_id limit $limit',
);

/** Tenants of which this quota is not in force yet, by id, from the first after the given one. */
export const listUnsettled = async (system: SystemScope, quota: SettledLater, after: number, limit: number) =>
  (await system.many(findUnsettled, { quota, after, limit })).map(({ tenant_id }) => tenant_id);

export const isSuspended =
  (database: Database) =>
  async (tenantId: number): Promise<boolean> =>
    (await findTenant(database.forTenant(tenantId)))?.status === 'suspended';
