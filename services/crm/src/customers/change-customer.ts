import type { Customer, UpdateCustomerAdmin } from '@frontdesk/contracts';
import { isConstraintViolation, type TenantScope, type TenantTransaction } from '@frontdesk/database';
import { changesOf, invalid, notFound, type RequireVersion } from '@frontdesk/service';
import type { TenantProfile } from '@frontdesk/tenants';
import { phoneTaken, requirePhone } from './create-customer.ts';
import {
  findCustomerIdByPhone,
  lockCustomer,
  ONE_NUMBER_EACH,
  updateCustomer,
} from './customer.repository.ts';
import { type CustomerRow, customerRecord } from './customer.rules.ts';
import { countCustomer } from './customer-count.repository.ts';
import { searchTextOf } from './search.rules.ts';

interface CustomerChange {
  id: number;
  body: UpdateCustomerAdmin;
  tenant: Pick<TenantProfile, 'country' | 'currency' | 'quotas' | 'storage_full'>;
  requireVersion: RequireVersion;
}

interface Changed {
  record: Customer;
  version: number;
}

/**
 * Changes what differs and emits `customer.updated`; a request that changes nothing leaves no trace.
 * @throws AppError `quota_exceeded` for longer notes; 422 on `phone` when it is none, or another customer's
 */
export async function changeCustomer(scope: TenantScope, wanted: CustomerChange): Promise<Changed> {
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
): Promise<Changed> {
  const { currency } = tenant;
  const current = await lockCustomer(tx, id, currency);
  if (!current) throw notFound('Customer');
  const shown = customerRecord(current, current, currency);
  requireVersion(current.version, shown);

  const changes = changesOf<CustomerRow>(current, body);
  if (!changes) return { record: shown, version: current.version };

  const { name, email, segment, pipeline_stage, notes, phone } = { ...current, ...changes };
  const number = changes.phone === undefined ? null : await freeNumber(tx, id, phone, tenant.country);
  const phone_digits = number?.digits ?? current.phone_digits;
  const row = await updateCustomer(tx, id, {
    name,
    email,
    segment,
    pipeline_stage,
    notes,
    phone,
    phone_digits,
    phone_e164: number?.e164 ?? null,
    search_text: searchTextOf({ name, email, phone_digits }),
  });
  countCustomer(tx, { before: current, after: row });
  const record = customerRecord(row, current, currency);
  tx.emit('customer.updated', { aggregateId: id, version: row.sequence, data: record });
  return { record, version: row.version };
}

/** A number in its forms, which no other customer has. @throws AppError 422 on `phone` */
async function freeNumber(tx: TenantTransaction, id: number, text: string, country: string) {
  const number = requirePhone(text, country);
  const holder = await findCustomerIdByPhone(tx, number.e164);
  if (holder !== null && holder !== id) throw invalid({ phone: [await phoneTaken(tx, number.e164)] });
  return number;
}
