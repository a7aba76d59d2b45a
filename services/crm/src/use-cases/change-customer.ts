import type { Customer, UpdateCustomer } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { changesOf, notFound, type RequireVersion } from '@frontdesk/service';
import { lockCustomer, updateCustomer } from '../data/customer.repository.ts';
import { countCustomer } from '../data/customer-count.repository.ts';
import { type CustomerRow, customerRecord } from '../domain/customer.ts';
import { searchTextOf } from '../domain/search.ts';

interface UpdateRequest {
  id: number;
  body: UpdateCustomer;
  currency: string;
  requireVersion: RequireVersion;
}

/** Changes what differs and emits `customer.updated`; a request that changes nothing leaves no trace. */
export async function changeCustomer(
  tx: TenantTransaction,
  { id, body, currency, requireVersion }: UpdateRequest,
): Promise<{ record: Customer; version: number }> {
  const current = await lockCustomer(tx, id, currency);
  if (!current) throw notFound('Customer');
  const shown = customerRecord(current, current, currency);
  requireVersion(current.version, shown);

  const changes = changesOf<CustomerRow>(current, body);
  if (!changes) return { record: shown, version: current.version };

  const { name, email, segment, pipeline_stage, notes } = { ...current, ...changes };
  const search_text = searchTextOf({ name, email, phone_digits: current.phone_digits });
  const row = await updateCustomer(tx, id, { name, email, segment, pipeline_stage, notes, search_text });
  countCustomer(tx, { before: current, after: row });
  const record = customerRecord(row, current, currency);
  tx.emit('customer.updated', { aggregateId: id, version: row.sequence, data: record });
  return { record, version: row.version };
}
