import type { Customer, UpdateCustomer } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { changesOf, notFound, type RequireVersion } from '@frontdesk/service';
import type { TenantProfile } from '@frontdesk/tenants';
import { lockCustomer, updateCustomer } from './customer.repository.ts';
import { type CustomerRow, customerRecord } from './customer.rules.ts';
import { countCustomer } from './customer-count.repository.ts';
import { searchTextOf } from './search.rules.ts';

interface CustomerChange {
  id: number;
  body: UpdateCustomer;
  tenant: Pick<TenantProfile, 'currency' | 'quotas' | 'storage_full'>;
  requireVersion: RequireVersion;
}

/**
 * Changes what differs and emits `customer.updated`; a request that changes nothing leaves no trace.
 * @throws AppError `quota_exceeded` for longer notes
 */
export async function changeCustomer(
  tx: TenantTransaction,
  { id, body, tenant, requireVersion }: CustomerChange,
): Promise<{ record: Customer; version: number }> {
  const { currency } = tenant;
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
