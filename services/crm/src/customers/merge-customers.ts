import type { FieldFault, MergeCustomer } from '@frontdesk/contracts';
import type { TenantScope, TenantTransaction } from '@frontdesk/database';
import { changesOf, invalid, namesVersion, overtaken, type RequireVersion } from '@frontdesk/service';
import { findMergedInto } from '@frontdesk/wiring';
import type { CustomerAndVersion } from './create-customer.ts';
import { deleteCustomer, lockCustomer, readCustomerTotals, updateCustomer } from './customer.repository.ts';
import { type CustomerRow, customerRecord } from './customer.rules.ts';
import { countCustomer } from './customer-count.repository.ts';
import {
  customerNotFound,
  insertMergedCustomer,
  mergedCustomerRecord,
  moveVisitsOf,
} from './merged-customer.repository.ts';
import { searchTextOf } from './search.rules.ts';

interface Merge {
  /** Of the customer who stays. */
  id: number;
  body: MergeCustomer;
  currency: string;
  requireVersion: RequireVersion;
}

/**
 * Makes one customer part of another, with their number and their visits; the first of these at once. Emits `customer.merged` of the one,
 * and `customer.updated` of the other.
 * @throws AppError 404 for the one who stays, 422 on `merged_id` for the other, `precondition_failed` where either has changed
 */
export async function mergeCustomers(scope: TenantScope, merge: Merge): Promise<CustomerAndVersion> {
  if (merge.body.merged_id === merge.id)
    throw invalid({ merged_id: ['The merged_id field must be another customer.'] });
  return scope.transaction((tx) => mergeIn(tx, merge));
}

async function mergeIn(
  tx: TenantTransaction,
  { id, body, currency, requireVersion }: Merge,
): Promise<CustomerAndVersion> {
  const { merged_id, merged_if_match, takes_phone, ...wanted } = body;
  // In order of their ids: two that merge the same customers wait for each other, and never deadlock.
  const [survivor, merged] = await inOrder([id, merged_id], (each) => lockCustomer(tx, each, currency));
  if (!survivor) throw await customerNotFound(tx, id);
  requireVersion(survivor.version, customerRecord(survivor, survivor, currency));
  if (!merged) throw invalid({ merged_id: [await whyGone(tx, merged_id)] });
  if (merged_if_match !== undefined && !namesVersion(merged_if_match, merged.version)) throw overtaken();

  const sequence = merged.sequence + 1;
  const [merge, phone_e164] = await Promise.all([
    insertMergedCustomer(tx, {
      id: merged_id,
      mergedInto: id,
      version: sequence,
      phoneOf: takes_phone ? id : merged_id,
    }),
    deleteCustomer(tx, merged_id),
    moveVisitsOf(tx, merged_id),
  ]);
  const { name, email, segment, pipeline_stage, notes } = {
    ...survivor,
    ...changesOf<CustomerRow>(survivor, wanted),
  };
  const { phone, phone_digits } = takes_phone ? merged : survivor;
  const [row, totals] = await Promise.all([
    updateCustomer(tx, id, {
      name,
      email,
      segment,
      pipeline_stage,
      notes,
      phone,
      phone_digits,
      phone_e164: takes_phone ? phone_e164 : null,
      search_text: searchTextOf({ name, email, phone_digits }),
    }),
    readCustomerTotals(tx, id, currency),
  ]);
  countCustomer(tx, { before: merged });
  countCustomer(tx, { before: survivor, after: row });
  tx.emit('customer.merged', {
    aggregateId: merged_id,
    version: sequence,
    data: mergedCustomerRecord(merge),
  });
  const record = customerRecord(row, totals, currency);
  tx.emit('customer.updated', { aggregateId: id, version: row.sequence, data: record });
  return { record, version: row.version };
}

/** Does it for the lower one first. @returns the results in the order of the two */
async function inOrder<Result>(
  [one, other]: readonly [number, number],
  work: (id: number) => Promise<Result>,
): Promise<[Result, Result]> {
  if (one < other) return Promise.all([work(one), work(other)]);
  const [ofOther, ofOne] = await Promise.all([work(other), work(one)]);
  return [ofOne, ofOther];
}

async function whyGone(tx: TenantTransaction, id: number): Promise<FieldFault> {
  const mergedInto = await findMergedInto(tx, id);
  const text =
    mergedInto === null
      ? 'The selected merged_id is invalid.'
      : `The customer has been merged into ${mergedInto}.`;
  return { text, reason: 'customer_gone' };
}
