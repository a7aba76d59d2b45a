import type { NamedCustomer } from '@frontdesk/contracts';
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
import type { CustomerChanges, CustomerRow, VisitTotals } from './customer.rules.ts';
import { SEPARATOR, searchTextOf } from './search.rules.ts';

/**
 * What the visits of a row of `customers c` add up to, to be joined: the columns of `VisitTotals`. `currency` is SQL. Amounts in another
 * currency than the tenant's own cannot be added up with the rest.
 */
export const customerTotals = (currency: string) => `
  cross join lateral (
    select count(*) as total_appointments,
      coalesce(sum(v.price_minor) filter (where v.status = 'completed' and v.currency = ${currency}), 0)::bigint as total_spent_minor,
      max(v.date) filter (where v.status = 'completed') as last_visit_date
    from visits v where v.tenant_id = c.tenant_id and v.customer_id = c.id
  ) totals`;

/**
 * As selected from `customers c`. The column `version` counts every change, as events do; what `If-Match` compares leaves out changes of
 * totals alone. So a process of release 0.1.0, which knows `version` alone, still numbers its events above earlier ones.
 */
export const CUSTOMER_COLUMNS = `c.id, c.name, c.phone, c.phone_digits, c.email, c.segment, c.pipeline_stage, c.notes, c.source,
  c.version - c.totals_version as version, c.version as sequence, c.created_at, c.updated_at`;

export const ONE_NUMBER_EACH = 'customers_phone_unique';

/** SQL: the id of the customer who shows a number, or into whom its owner was merged. `phone` is SQL. */
export const holderOf = (phone: string) => `coalesce(
  (select merged.merged_into from merged_customers merged where merged.tenant_id = $tenantId and merged.phone_e164 = ${phone} limit 1),
  (select holder.id from customers holder where holder.tenant_id = $tenantId and holder.phone_e164 = ${phone}))`;

export interface NewCustomer extends CustomerChanges {
  phone_e164: string;
  source: string;
  search_text: string;
}

const insertWhere = (condition: string) => `
  insert into customers as c (tenant_id, name, phone, phone_e164, phone_digits, email, segment, pipeline_stage, notes,
    source, search_text)
  select $tenantId::bigint, $name, $phone, $phone_e164, $phone_digits, $email, $segment, $pipeline_stage, $notes, $source, $search_text
  where ${condition} and not exists (
    select from merged_customers merged where merged.tenant_id = $tenantId and merged.phone_e164 = $phone_e164
  )
  on conflict on constraint ${ONE_NUMBER_EACH} do nothing
  returning ${CUSTOMER_COLUMNS}`;

const insertRow = tenantSql<CustomerRow, NewCustomer>('customers_insert', insertWhere('true'));

const insertFar = tenantSql<CustomerRow, NewCustomer & GateArgs>(
  'customers_insert_far',
  insertWhere(openGate),
);

/** The new customer, or null when the tenant has one to whom this phone number leads. */
export const insertCustomer = (tx: TenantTransaction, customer: NewCustomer) =>
  unlessMerged(tx, customer, tx.maybeOne(insertRow, customer));

/** The same through the gate of a quota: null also where customers are counted. */
export const insertCustomerFarFromQuota = (tx: TenantTransaction, customer: NewCustomer, gate: GateArgs) =>
  unlessMerged(tx, customer, tx.maybeOne(insertFar, { ...customer, ...gate }));

const remove = tenantSql<{ phone_e164: string }, { id: number }>(
  'customers_delete',
  'delete from customers where tenant_id = $tenantId and id = $id returning phone_e164',
);

/** Of a customer who is there. @returns the number that they had, in its normal form */
export const deleteCustomer = async (tx: TenantTransaction, id: number) =>
  (await tx.one(remove, { id })).phone_e164;

/** An insert that has waited for the merge of the customer with this number found it free, and sees the merge only now. */
async function unlessMerged(
  tx: TenantTransaction,
  { phone_e164 }: NewCustomer,
  inserted: Promise<CustomerRow | null>,
): Promise<CustomerRow | null> {
  const [row, holder] = await Promise.all([inserted, findCustomerIdByPhone(tx, phone_e164)]);
  if (row === null || row.id === holder) return row;
  await deleteCustomer(tx, row.id);
  return null;
}

const findNamed = tenantSql<
  Pick<CustomerRow, 'id' | 'name' | 'phone'> & { current_id: number },
  { ids: number[] }
>(
  'customers_find_named',
  `select given.id, c.id as current_id, c.name, c.phone
   from (select distinct unnest($ids::bigint[]) as id) given
   join customers c on c.tenant_id = $tenantId and c.id = ${currentCustomer('$tenantId', 'given.id')}
   order by given.id`,
);

/** Those of the ids that there are, and those that are part of another customer by now, with that one's name and number. */
export const findNamedCustomers = async (db: TenantReads, ids: number[]): Promise<NamedCustomer[]> =>
  (await db.many(findNamed, { ids })).map(({ current_id, ...named }) =>
    current_id === named.id ? named : { ...named, merged_into: current_id },
  );

const findByPhone = tenantSql<{ id: number | null }, { phoneE164: string }>(
  'customers_find_by_phone',
  `select ${holderOf('$phoneE164')} as id`,
);

/** The id of the customer to whom this number, in its normal form, leads. */
export const findCustomerIdByPhone = async (db: TenantReads, phoneE164: string) =>
  (await db.one(findByPhone, { phoneE164 })).id;

type CustomerWithTotals = CustomerRow & VisitTotals;

const findWithTotals = tenantSql<CustomerWithTotals, { id: number; currency: string }>(
  'customers_find_with_totals',
  `select ${CUSTOMER_COLUMNS}, totals.*
   from customers c ${customerTotals('$currency')}
   where c.tenant_id = $tenantId and c.id = $id`,
);

export const findCustomerWithTotals = (db: TenantReads, id: number, currency: string) =>
  db.maybeOne(findWithTotals, { id, currency });

const findWithTotalsByPhone = tenantSql<CustomerWithTotals, { phoneE164: string; currency: string }>(
  'customers_find_with_totals_by_phone',
  `select ${CUSTOMER_COLUMNS}, totals.*
   from customers c ${customerTotals('$currency')}
   where c.tenant_id = $tenantId and c.id = ${holderOf('$phoneE164')}`,
);

export const findCustomerByPhone = (db: TenantReads, phoneE164: string, currency: string) =>
  db.maybeOne(findWithTotalsByPhone, { phoneE164, currency });

const lock = tenantSql<CustomerRow, { id: number }>(
  'customers_lock',
  `select ${CUSTOMER_COLUMNS} from customers c where c.tenant_id = $tenantId and c.id = $id for update`,
);

const findTotals = tenantSql<VisitTotals, { id: number; currency: string }>(
  'customers_find_totals',
  `select totals.* from customers c ${customerTotals('$currency')} where c.tenant_id = $tenantId and c.id = $id`,
);

/** Of a customer who is there. */
export const readCustomerTotals = (db: TenantReads, id: number, currency: string) =>
  db.one(findTotals, { id, currency });

/**
 * Held until the transaction ends, so that events of one customer are written in the order of its versions. The totals are read by a
 * statement of their own: one that waited for the lock would still see those from before it waited.
 */
export async function lockCustomer(
  tx: TenantTransaction,
  id: number,
  currency: string,
): Promise<CustomerWithTotals | null> {
  const [row, totals] = await Promise.all([
    tx.maybeOne(lock, { id }),
    tx.maybeOne(findTotals, { id, currency }),
  ]);
  return row && totals && { ...row, ...totals };
}

/** `phone_e164`: null where the number stays as it is. */
interface CustomerUpdate extends CustomerChanges {
  phone_e164: string | null;
}

const updateRow = tenantSql<
  CustomerRow,
  CustomerUpdate & { id: number; search_text: string; separator: string }
>(
  'customers_update',
  // They are found by all numbers that lead to them. clock_timestamp: now() is the transaction's start, which may lie before the change that
  // this one waited for.
  `update customers c set name = $name, email = $email, segment = $segment, pipeline_stage = $pipeline_stage,
     notes = $notes, phone = $phone, phone_digits = $phone_digits, phone_e164 = coalesce($phone_e164, phone_e164),
     search_text = $search_text || coalesce((
       select string_agg($separator || merged.phone_digits, '' order by merged.id) from merged_customers merged
       where merged.tenant_id = $tenantId and merged.merged_into = $id
     ), ''), version = version + 1, updated_at = clock_timestamp()
   where c.tenant_id = $tenantId and c.id = $id
   returning ${CUSTOMER_COLUMNS}`,
);

/** @throws of the constraint `ONE_NUMBER_EACH` where somebody else takes the number at the same time */
export function updateCustomer(tx: TenantTransaction, id: number, changes: CustomerUpdate) {
  const { name, phone, phone_digits, phone_e164, email, segment, pipeline_stage, notes } = changes;
  const fields = { name, phone, phone_digits, phone_e164, email, segment, pipeline_stage, notes };
  return tx.one(updateRow, { id, ...fields, search_text: searchTextOf(changes), separator: SEPARATOR });
}

const findAfter = systemSql<
  CustomerRow & { tenant_id: number },
  { afterTenant: number; afterId: number; limit: number }
>(
  'snapshot_customers',
  `select c.tenant_id, ${CUSTOMER_COLUMNS} from customers c
   where (c.tenant_id, c.id) > ($afterTenant, $afterId)
   order by c.tenant_id, c.id
   limit $limit`,
);

/** Customers of all tenants by tenant and id, from the first after the given one. */
export const listCustomersAfter = (
  system: SystemScope,
  after: { tenantId: number; id: number },
  limit: number,
) => system.many(findAfter, { afterTenant: after.tenantId, afterId: after.id, limit });
