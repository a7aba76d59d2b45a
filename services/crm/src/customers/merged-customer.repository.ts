import {
  type SystemScope,
  systemSql,
  type TenantReads,
  type TenantTransaction,
  tenantSql,
} from '@frontdesk/database';
import { currentCustomer, findMergedInto, REWRITTEN_TOGETHER, shortenMerges } from '@frontdesk/merges';
import { type AppError, notFound } from '@frontdesk/service';
import { type MergedCustomerRow, mergedCustomerRecord } from './customer.rules.ts';

interface NewMerge {
  id: number;
  mergedInto: number;
  version: number;
  /** The customer whose number the row keeps: the number that the remaining customer does not show. */
  phoneOf: number;
}

const insert = tenantSql<MergedCustomerRow, NewMerge>(
  'merged_customers_insert_with_phone',
  `insert into merged_customers (tenant_id, id, merged_into, merged_at, phone, phone_e164, phone_digits, version)
   select c.tenant_id, $id, $mergedInto, clock_timestamp(), c.phone, c.phone_e164, c.phone_digits, $version
   from customers c where c.tenant_id = $tenantId and c.id = $phoneOf
   returning tenant_id, id, merged_into, phone, merged_at, version`,
);

/** Both customers are locked. Those who were merged into the merged one earlier lead to the remaining one from now on. */
export async function insertMergedCustomer(
  tx: TenantTransaction,
  merge: NewMerge,
): Promise<MergedCustomerRow> {
  const [row] = await Promise.all([tx.one(insert, merge), shortenMerges(tx)]);
  return row;
}

const swapNumber = tenantSql<MergedCustomerRow, { id: number; phoneE164: string }>(
  'merged_customers_swap_number',
  `update merged_customers m set phone = c.phone, phone_e164 = c.phone_e164, phone_digits = c.phone_digits, version = m.version + 1
   from customers c
   where m.tenant_id = $tenantId and m.merged_into = $id and m.phone_e164 = $phoneE164
     and c.tenant_id = $tenantId and c.id = $id and c.phone_e164 <> $phoneE164
   returning m.tenant_id, m.id, m.merged_into, m.phone, m.merged_at, m.version`,
);

/**
 * Before a merged customer's number becomes the shown one: the number shown until now takes its row, so that both go on leading to the
 * customer. Only the shown number can be given up.
 * @returns the merged customer whose number it was; null where it was nobody's
 */
export const swapMergedNumber = (tx: TenantTransaction, args: { id: number; phoneE164: string }) =>
  tx.maybeOne(swapNumber, args);

/** Says of a merged customer where they are, and the number that leads there beside the shown one. */
export const emitMerged = (tx: TenantTransaction, row: MergedCustomerRow) =>
  tx.emit('customer.merged', { aggregateId: row.id, version: row.version, data: mergedCustomerRecord(row) });

const moveVisits = tenantSql<never, { id: number }>(
  'visits_move',
  `update visits v set customer_id = ${currentCustomer('$tenantId', '$id')}
   from (
     select appointment_id from visits where tenant_id = $tenantId and customer_id = $id
     order by appointment_id limit ${REWRITTEN_TOGETHER} for update
   ) moved
   where v.tenant_id = $tenantId and v.appointment_id = moved.appointment_id`,
);

/** Up to `REWRITTEN_TOGETHER` visits of a merged customer become the remaining one's, who is locked. @returns how many */
export const moveVisitsOf = (tx: TenantTransaction, id: number) => tx.run(moveVisits, { id });

/** 404 for a customer who isn't there; of one who was merged it says into whom. */
export async function customerNotFound(db: TenantReads, id: number): Promise<AppError> {
  const mergedInto = await findMergedInto(db, id);
  return notFound('Customer', mergedInto === null ? undefined : { merged_into: mergedInto });
}

const findAfter = systemSql<MergedCustomerRow, { afterTenant: number; afterId: number; limit: number }>(
  'snapshot_merged_customers',
  `select tenant_id, id, merged_into, phone, merged_at, version from merged_customers
   where (tenant_id, id) > ($afterTenant, $afterId)
   order by tenant_id, id
   limit $limit`,
);

/** Merged customers of all tenants by tenant and id, from the first after the given one. */
export const listMergedCustomersAfter = (
  system: SystemScope,
  after: { tenantId: number; id: number },
  limit: number,
) => system.many(findAfter, { afterTenant: after.tenantId, afterId: after.id, limit });
