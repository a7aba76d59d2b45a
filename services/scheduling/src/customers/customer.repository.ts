import type { SnapshotEntry } from '@frontdesk/contracts';
import {
  type GateArgs,
  openGate,
  type SystemScope,
  systemSql,
  type TenantReads,
  type TenantTransaction,
  tenantSql,
} from '@frontdesk/database';

const findCustomer = tenantSql<{ id: number }, { id: number }>(
  'customer_find',
  `select id from customers where tenant_id = $tenantId and id = $id`,
);

const findBooker = tenantSql<{ is_known: boolean; is_open: boolean }, GateArgs & { id: number }>(
  'customer_find_booker',
  `select exists (select from customers where tenant_id = $tenantId and id = $id) as is_known, ${openGate} as is_open`,
);

// Version 0: any event about the customer is newer.
const rememberCustomer = tenantSql<never, { id: number }>(
  'customer_remember',
  `insert into customers (tenant_id, id, version) values ($tenantId, $id, 0) on conflict (tenant_id, id) do nothing`,
);

const upsertCustomers = systemSql<never, { tenantIds: number[]; ids: number[]; versions: number[] }>(
  'customer_upsert',
  `insert into customers (tenant_id, id, version)
   select tenant_id, id, version
   from unnest($tenantIds::bigint[], $ids::bigint[], $versions::integer[]) as given(tenant_id, id, version)
   order by tenant_id, id
   on conflict (tenant_id, id) do update set version = excluded.version
   where customers.version < excluded.version`,
);

export async function isKnownCustomer(db: TenantReads, id: number): Promise<boolean> {
  return (await db.maybeOne(findCustomer, { id })) !== null;
}

/** Whether the customer is known, and whether an appointment may be added uncounted: one statement, as each booking asks both. */
export const findBookingCustomer = (tx: TenantTransaction, id: number, gate: GateArgs) =>
  tx.one(findBooker, { id, ...gate });

export async function insertKnownCustomer(db: TenantReads, id: number): Promise<void> {
  await db.run(rememberCustomer, { id });
}

/** Takes in what is newer than known; each customer at most once. */
export async function saveCustomers(
  system: SystemScope,
  customers: readonly Omit<SnapshotEntry<unknown>, 'data'>[],
): Promise<void> {
  await system.run(upsertCustomers, {
    tenantIds: customers.map(({ tenant_id }) => tenant_id),
    ids: customers.map(({ aggregate_id }) => aggregate_id),
    versions: customers.map(({ aggregate_version }) => aggregate_version),
  });
}
