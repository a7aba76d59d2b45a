import { type TenantReads, type TenantTransaction, tenantSql } from '@frontdesk/database';

const KEY = (number: string) =>
  `hashtextextended(concat_ws(' ', 'customer_number tenant_id', $tenantId::bigint, ${number}), 0)`;

const lockNumbers = tenantSql<never, { numbers: string[] }>(
  'numbers_lock',
  // In one order, so that two who lock several wait for each other and never deadlock.
  `select pg_advisory_xact_lock(key) from (
     select distinct ${KEY('number')} as key from unnest($numbers::text[]) as number order by key
   ) keys`,
);

const find = tenantSql<{ customer_id: number }, { e164: string }>(
  'numbers_find',
  'select customer_id from customer_numbers where tenant_id = $tenantId and e164 = $e164',
);

const insert = tenantSql<never, { numbers: string[]; customerIds: number[] }>(
  'numbers_insert',
  `insert into customer_numbers (tenant_id, e164, customer_id)
   select $tenantId, * from unnest($numbers::text[], $customerIds::bigint[]) order by 2
   on conflict (tenant_id, e164) do nothing`,
);

/**
 * Held to the end of the transaction both where a number is looked up for a call, and where a new number is stored. So
 * either the call finds the number, or the number finds the call.
 */
export const lockCustomerNumbers = (tx: TenantTransaction, numbers: string[]) =>
  tx.run(lockNumbers, { numbers });

export const findCustomerByNumber = async (db: TenantReads, e164: string) =>
  (await db.maybeOne(find, { e164 }))?.customer_id ?? null;

/** Each number once. A number that is known stays whose it is: it never moves from one customer to another. */
export const insertCustomerNumbers = (
  tx: TenantTransaction,
  known: readonly { e164: string; customerId: number }[],
) =>
  tx.run(insert, {
    numbers: known.map(({ e164 }) => e164),
    customerIds: known.map(({ customerId }) => customerId),
  });
