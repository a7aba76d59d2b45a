import type { UpdateCustomerAdmin } from '@frontdesk/contracts';
import { isConstraintViolation, type TenantScope, type TenantTransaction } from '@frontdesk/database';
import { changesOf, invalid, type RequireVersion } from '@frontdesk/service';
import type { TenantProfile } from '@frontdesk/tenants';
import { type CustomerAndVersion, phoneTaken, requirePhone } from './create-customer.ts';
import {
  findCustomerIdByPhone,
  lockCustomer,
  ONE_NUMBER_EACH,
  updateCustomer,
} from './customer.repository.ts';
import { type CustomerRow, customerRecord } from './customer.rules.ts';
import { countCustomer } from './customer-count.repository.ts';
import { customerNotFound, emitMerged, swapMergedNumber } from './merged-customer.repository.ts';

interface CustomerChange {
  id: number;
  body: UpdateCustomerAdmin;
  tenant: Pick<TenantProfile, 'country' | 'currency' | 'quotas' | 'storage_full'>;
  requireVersion: RequireVersion;
}

/**
 * Changes what differs and emits `customer.updated`; a request that changes nothing leaves no trace.
 * @throws AppError `quota_exceeded` for longer notes; 422 on `phone` when it is none, or another customer's
 */
export async function changeCustomer(
  scope: TenantScope,
  wanted: CustomerChange,
): Promise<CustomerAndVersion> {
  const make = () => scope.transaction((tx) => change(tx, wanted));
  try {
    return await make();
  } catch (error) {
    // Somebody took the number after it was seen to be free. The next look sees them.
    if (!isConstraintViolation(error, ONE_NUMBER_EACH)) throw error;
    return make();
  }
}

async function change(
  tx: TenantTransaction,
  { id, body, tenant, requireVersion }: CustomerChange,
): Promise<CustomerAndVersion> {
  const { currency } = tenant;
  const current = await lockCustomer(tx, id, currency);
  if (!current) throw await customerNotFound(tx, id);
  const shown = customerRecord(current, current, currency);
  requireVersion(current.version, shown);

  const changes = changesOf<CustomerRow>(current, body);
  if (!changes) return { record: shown, version: current.version };

  const fields = { ...current, ...changes };
  const number = changes.phone === undefined ? null : requirePhone(fields.phone, tenant.country);
  if (number) {
    await requireFree(tx, id, number.e164);
    const merged = await swapMergedNumber(tx, { id, phoneE164: number.e164 });
    if (merged) emitMerged(tx, merged);
  }
  const row = await updateCustomer(tx, id, {
    ...fields,
    phone_digits: number?.digits ?? current.phone_digits,
    phone_e164: number?.e164 ?? null,
  });
  // The one who had it may have been merged while this waited for the number.
  if (number) await requireFree(tx, id, number.e164);
  countCustomer(tx, { before: current, after: row });
  const record = customerRecord(row, current, currency);
  tx.emit('customer.updated', { aggregateId: id, version: row.sequence, data: record });
  return { record, version: row.version };
}

/** @throws AppError 422 on `phone` where the number leads to another customer */
async function requireFree(tx: TenantTransaction, id: number, e164: string): Promise<void> {
  const holder = await findCustomerIdByPhone(tx, e164);
  if (holder !== null && holder !== id) throw invalid({ phone: [await phoneTaken(tx, e164)] });
}
