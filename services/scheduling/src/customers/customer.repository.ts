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
import { currentCustomer } from '@frontdesk/merges';

const BOOKER = `select id from customers where tenant_id = $tenantId and id = ${currentCustomer('$tenantId', '$id')}`;

const findCustomer = tenantSql<{ id: number }, { id: number }>('customer_find', BOOKER);

const findBooker = tenantSql<{ id: number | null; is_open: boolean }, GateArgs & { id: number }>(
  'customer_find_booker',
  `select (${BOOKER}) as id, ${openGate} as is_open`,
);

// Version 0: any event about the customer is newer.
const rememberCustomers = tenantSql<never, { ids: number[] }>(
  'customers_remember',
  `insert into customers (tenant_id, id, version)
   select distinct $tenantId::bigint, id, 0 from unnest($ids::bigint[]) as id order by id
   on conflict (tenant_id, id) do nothing`,
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

/** Whom a booking for this customer is for: the one that they have become part of, where they have; null for one who isn't known. */
export const findKnownCustomer = async (db: TenantReads, id: number) =>
  (await db.maybeOne(findCustomer, { id }))?.id ?? null;

/** The same, and whether an appointment may be added uncounted: one statement, as each booking asks both. */
export const findBookingCustomer = (tx: TenantTransaction, id: number, gate: GateArgs) =>
  tx.one(findBooker, { id, ...gate });

export async function insertKnownCustomers(db: TenantReads, ids: number[]): Promise<void> {
  await db.run(rememberCustomers, { ids });
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
