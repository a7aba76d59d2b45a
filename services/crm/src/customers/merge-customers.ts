import type { FieldFault, MergeCustomer } from '@frontdesk/contracts';
import type { TenantScope, TenantTransaction } from '@frontdesk/database';
import { findMergedInto } from '@frontdesk/merges';
import { changesOf, invalid, namesVersion, overtaken, type RequireVersion } from '@frontdesk/service';
import type { CustomerAndVersion } from './create-customer.ts';
import { deleteCustomer, lockCustomer, readCustomerTotals, updateCustomer } from './customer.repository.ts';
import { type CustomerRow, customerRecord } from './customer.rules.ts';
import { countCustomer } from './customer-count.repository.ts';
import {
  customerNotFound,
  emitMerged,
  insertMergedCustomer,
  moveVisitsOf,
} from './merged-customer.repository.ts';

interface WantedMerge {
  /** The remaining customer. */
  id: number;
  body: MergeCustomer;
  currency: string;
  requireVersion: RequireVersion;
}

/**
 * Merges one customer into another: both numbers and all visits are the remaining customer's then, the first visits at once. Emits
 * `customer.merged` of the one and `customer.updated` of the other.
 * @throws AppError 404 for the remaining customer, 422 on `merged_id` for the other, `precondition_failed` where either has changed
 */
export async function mergeCustomers(scope: TenantScope, wanted: WantedMerge): Promise<CustomerAndVersion> {
  if (wanted.body.merged_id === wanted.id)
    throw invalid({ merged_id: ['The merged_id field must be another customer.'] });
  return scope.transaction((tx) => merge(tx, wanted));
}

async function merge(
  tx: TenantTransaction,
  { id, body, currency, requireVersion }: WantedMerge,
): Promise<CustomerAndVersion> {
  const { merged_id, merged_if_match, takes_phone, ...wanted } = body;
  // The lower id first: two that merge the same customers wait for each other, and never deadlock.
  const [lower, higher] = await Promise.all([
    lockCustomer(tx, Math.min(id, merged_id), currency),
    lockCustomer(tx, Math.max(id, merged_id), currency),
  ]);
  const [remaining, merged] = id < merged_id ? [lower, higher] : [higher, lower];
  if (!remaining) throw await customerNotFound(tx, id);
  requireVersion(remaining.version, customerRecord(remaining, remaining, currency));
  if (!merged) throw invalid({ merged_id: [await whyGone(tx, merged_id)] });
  if (merged_if_match !== undefined && !namesVersion(merged_if_match, merged.version)) throw overtaken();

  const sequence = merged.sequence + 1;
  const [mergedRow, phone_e164] = await Promise.all([
    insertMergedCustomer(tx, {
      id: merged_id,
      mergedInto: id,
      version: sequence,
      phoneOf: takes_phone ? id : merged_id,
    }),
    deleteCustomer(tx, merged_id),
    moveVisitsOf(tx, merged_id),
  ]);
  const { phone, phone_digits } = takes_phone ? merged : remaining;
  const [row, totals] = await Promise.all([
    updateCustomer(tx, id, {
      ...remaining,
      ...changesOf<CustomerRow>(remaining, wanted),
      phone,
      phone_digits,
      phone_e164: takes_phone ? phone_e164 : null,
    }),
    readCustomerTotals(tx, id, currency),
  ]);
  countCustomer(tx, { before: merged });
  countCustomer(tx, { before: remaining, after: row });
  emitMerged(tx, mergedRow);
  const record = customerRecord(row, totals, currency);
  tx.emit('customer.updated', { aggregateId: id, version: row.sequence, data: record });
  return { record, version: row.version };
}

async function whyGone(tx: TenantTransaction, id: number): Promise<FieldFault> {
  const mergedInto = await findMergedInto(tx, id);
  const text =
    mergedInto === null
      ? 'The selected merged_id is invalid.'
      : `The customer has been merged into ${mergedInto}.`;
  return { text, reason: 'customer_gone' };
}
