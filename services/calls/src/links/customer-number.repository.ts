import { type TenantReads, type TenantTransaction, tenantSql } from '@frontdesk/database';
import { currentCustomer } from '@frontdesk/merges';

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
  `select ${currentCustomer('$tenantId', 'customer_numbers.customer_id')} as customer_id
   from customer_numbers where tenant_id = $tenantId and e164 = $e164`,
);

interface NumberArgs {
  ids: number[];
  numbers: (string | null)[];
  versions: number[];
}

const GIVEN = 'unnest($ids::bigint[], $numbers::text[], $versions::bigint[]) as given (id, e164, version)';

const removeOthers = tenantSql<never, NumberArgs>(
  'numbers_remove_others',
  `delete from customer_numbers n using ${GIVEN}
   where n.tenant_id = $tenantId and n.customer_id = given.id and n.e164 is distinct from given.e164 and n.version < given.version`,
);

const upsert = tenantSql<never, NumberArgs>(
  'numbers_upsert',
  `insert into customer_numbers as n (tenant_id, e164, customer_id, version)
   select distinct on (given.e164) $tenantId, given.e164, given.id, given.version from ${GIVEN}
   where given.e164 is not null and not exists (
     select from customer_numbers newer
     where newer.tenant_id = $tenantId and newer.customer_id = given.id and newer.version > given.version)
   order by given.e164, given.id desc
   on conflict (tenant_id, e164) do update set customer_id = excluded.customer_id, version = excluded.version
   where n.customer_id <> excluded.customer_id or n.version < excluded.version`,
);

const insertAnswered = tenantSql<never, { e164: string; id: number }>(
  'numbers_insert_answered',
  // Version 0: any event about the customer is newer. With another number, one has come since crm was asked.
  `insert into customer_numbers (tenant_id, e164, customer_id, version)
   select $tenantId, $e164, $id, 0
   where not exists (select from customer_numbers n where n.tenant_id = $tenantId and n.customer_id = $id)
   on conflict (tenant_id, e164) do nothing`,
);

/** Whose number it is, as far as an event or crm has said. */
interface KnownNumber {
  e164: string;
  customerId: number;
}

/** Stands for a customer among the numbers that are locked. */
const customerKey = (id: number) => `customer ${id}`;

/**
 * Held to the end of the transaction both where a number is looked up for a call, and where a new number is stored. So
 * either the call finds the number, or the number finds the call. The customers whose numbers are stored are locked too.
 */
export const lockCustomerNumbers = (tx: TenantTransaction, numbers: string[], customerIds: number[] = []) =>
  tx.run(lockNumbers, { numbers: [...numbers, ...customerIds.map(customerKey)] });

/** The number of a customer who has become part of another one leads to that one. */
export const findCustomerByNumber = async (db: TenantReads, e164: string) =>
  (await db.maybeOne(find, { e164 }))?.customer_id ?? null;

/** A customer as an event has them. `e164`: null where their number can't be read here. */
export interface NumberedCustomer {
  id: number;
  e164: string | null;
  version: number;
}

/** Each customer has the number of the highest version, and no other. What is older than known changes nothing. */
export async function saveCustomerNumbers(
  tx: TenantTransaction,
  customers: readonly NumberedCustomer[],
): Promise<void> {
  const args = {
    ids: customers.map(({ id }) => id),
    numbers: customers.map(({ e164 }) => e164),
    versions: customers.map(({ version }) => version),
  };
  await tx.run(removeOthers, args);
  await tx.run(upsert, args);
}

/** What crm has answered of a number, so that it isn't asked again before an event comes. */
export const insertAnsweredNumber = (tx: TenantTransaction, { e164, customerId }: KnownNumber) =>
  tx.run(insertAnswered, { e164, id: customerId });
