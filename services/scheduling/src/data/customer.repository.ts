import type { SnapshotEntry } from '@frontdesk/contracts';
import { type SystemScope, systemSql, type TenantReads, tenantSql } from '@frontdesk/database';

const findCustomer = tenantSql<{ id: number }, [id: number]>(
  'customer_find',
  `select id from customers where tenant_id = $1 and id = $2`,
);

// Version 0: any event about the customer is newer.
const rememberCustomer = tenantSql<never, [id: number]>(
  'customer_remember',
  `insert into customers (tenant_id, id, version) values ($1, $2, 0) on conflict (tenant_id, id) do nothing`,
);

const upsertCustomers = systemSql<never, [tenantIds: number[], ids: number[], versions: number[]]>(
  'customer_upsert',
  `insert into customers (tenant_id, id, version)
   select tenant_id, id, version
   from unnest($1::bigint[], $2::bigint[], $3::integer[]) as given(tenant_id, id, version)
   order by tenant_id, id
   on conflict (tenant_id, id) do update set version = excluded.version
   where customers.version < excluded.version`,
);

export async function isKnownCustomer(db: TenantReads, id: number): Promise<boolean> {
  return (await db.maybeOne(findCustomer, id)) !== null;
}

export async function insertKnownCustomer(db: TenantReads, id: number): Promise<void> {
  await db.run(rememberCustomer, id);
}

/** Takes in what is newer than known; each customer at most once. */
export async function saveCustomers(
  system: SystemScope,
  customers: readonly Omit<SnapshotEntry<unknown>, 'data'>[],
): Promise<void> {
  await system.run(
    upsertCustomers,
    customers.map(({ tenant_id }) => tenant_id),
    customers.map(({ aggregate_id }) => aggregate_id),
    customers.map(({ aggregate_version }) => aggregate_version),
  );
}
