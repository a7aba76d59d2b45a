import type { Customer, UpdateCustomer } from '@frontdesk/contracts';
import type { TenantScope } from '@frontdesk/database';
import { notFound } from '@frontdesk/service';
import { lockCustomer, updateCustomerRow } from '../data/customer.repository.ts';
import { countCustomer } from '../data/customer-count.repository.ts';
import { changesOf, toRecord } from '../domain/customer.ts';
import { searchTextOf } from '../domain/search.ts';

interface UpdateRequest {
  id: number;
  body: UpdateCustomer;
  currency: string;
  /** Throws when the caller meant another version than the current one. */
  requireVersion: (current: number) => void;
}

/** Changes what differs and emits `customer.updated`; a request that changes nothing leaves no trace. */
export function updateCustomer(
  scope: TenantScope,
  { id, body, currency, requireVersion }: UpdateRequest,
): Promise<{ record: Customer; version: number }> {
  return scope.transaction(async (transaction) => {
    const current = await lockCustomer(transaction, id, currency);
    if (!current) throw notFound('Customer');
    requireVersion(current.version);

    const changes = changesOf(current, body);
    if (!changes) return { record: toRecord(current, current, currency), version: current.version };

    const search_text = searchTextOf({ ...changes, phone_digits: current.phone_digits });
    const row = await updateCustomerRow(transaction, id, { ...changes, search_text });
    countCustomer(transaction, { before: current, after: row });
    const record = toRecord(row, current, currency);
    transaction.emit('customer.updated', { aggregateId: id, version: row.version, data: record });
    return { record, version: row.version };
  });
}
