import {
  type SystemScope,
  systemSql,
  type TenantReads,
  type TenantTransaction,
  tenantSql,
} from '@frontdesk/database';

/** Rows that one transaction rewrites, at most. */
export const REWRITTEN_TOGETHER = 500;

/** SQL: of a merged customer, the id of the customer who remains; of any other, their own. `tenant` and `customer` are SQL. */
export const currentCustomer = (tenant: string, customer: string) =>
  `coalesce((select merged.merged_into from merged_customers merged
     where merged.tenant_id = ${tenant} and merged.id = ${customer}), ${customer})`;

const find = tenantSql<{ merged_into: number }, { id: number }>(
  'merged_customers_find',
  'select merged_into from merged_customers where tenant_id = $tenantId and id = $id',
);

/** The customer into whom this one was merged; null for any other. */
export const findMergedInto = async (db: TenantReads, id: number) =>
  (await db.maybeOne(find, { id }))?.merged_into ?? null;

/** One customer was merged into another. */
export interface Merge {
  id: number;
  mergedInto: number;
}

const insert = tenantSql<never, { ids: number[]; mergedInto: number[] }>(
  'merged_customers_insert',
  `insert into merged_customers (tenant_id, id, merged_into)
   select $tenantId, given.id, ${currentCustomer('$tenantId', 'given.merged_into')}
   from unnest($ids::bigint[], $mergedInto::bigint[]) as given (id, merged_into)
   -- Else crm has been put back to before an earlier merge, and two would lead to each other.
   where ${currentCustomer('$tenantId', 'given.merged_into')} <> given.id
   order by given.id
   on conflict (tenant_id, id) do nothing`,
);

const shorten = tenantSql<never>(
  'merged_customers_shorten',
  `update merged_customers earlier set merged_into = later.merged_into, rewrite_due_at = now()
   from merged_customers later
   where earlier.tenant_id = $tenantId and later.tenant_id = $tenantId and later.id = earlier.merged_into`,
);

/** Stores merges, in any order and however often they come. */
export async function saveMerges(db: TenantReads, merges: readonly Merge[]): Promise<void> {
  if (merges.length === 0) return;
  await db.run(insert, {
    ids: merges.map(({ id }) => id),
    mergedInto: merges.map(({ mergedInto }) => mergedInto),
  });
  await shortenMerges(db);
}

/** Each turn halves the longest chain, so any chain ends sooner; a ring of merges would never end. */
const MOST_TURNS = 64;

/** Has each merged customer lead to who remains in the end: the one into whom they were merged may be merged later. */
export async function shortenMerges(db: TenantReads): Promise<void> {
  for (let turn = 0; turn < MOST_TURNS && (await db.run(shorten)) > 0; turn += 1);
}

interface DueMerge {
  tenant_id: number;
  id: number;
}

const take = systemSql<DueMerge, { leaseSeconds: number; limit: number }>(
  'merged_customers_take',
  `update merged_customers m set rewrite_due_at = now() + $leaseSeconds::integer * interval '1 s'
   from (
     select tenant_id, id from merged_customers
     where rewrite_due_at <= now() order by rewrite_due_at limit $limit for update skip locked
   ) due
   where m.tenant_id = due.tenant_id and m.id = due.id
   returning m.tenant_id, m.id`,
);

/** Some of the merges whose rows are to be rewritten; for the time of the lease nobody else takes them. */
export const takeMerges = (system: SystemScope, limit: number, leaseSeconds: number) =>
  system.many(take, { limit, leaseSeconds });

const conclude = tenantSql<
  never,
  { id: number; hasMore: boolean; settledAfterSeconds: number; againAfterSeconds: number }
>(
  'merged_customers_conclude',
  `update merged_customers set rewrite_due_at = case
     when $hasMore::boolean then now()
     when merged_at > now() - $settledAfterSeconds::integer * interval '1 s'
       then now() + $againAfterSeconds::integer * interval '1 s'
   end
   where tenant_id = $tenantId and id = $id`,
);

/** When the rows of this merge are looked for again: never, once no transaction can still write one. */
export const concludeRewrite = (
  tx: TenantTransaction,
  args: { id: number; hasMore: boolean; settledAfterSeconds: number; againAfterSeconds: number },
) => tx.run(conclude, args);
