import type { TenantScope } from '@frontdesk/database';
import { findCustomerIdByPhone } from '../data/customer.repository.ts';
import { createUnlessTaken, newCustomer, requirePhone } from './create-customer.ts';

/** Where a customer that a call brought comes from. */
const SOURCE = 'call';

interface ByPhone {
  phone: string;
  /** What a new customer is called; the number as given when left out. */
  name?: string | null | undefined;
  create: boolean;
}

/**
 * The customer with this number, who is made a lead where there is none yet and `create` says so. However many ask at the
 * same moment, the unique index lets one of them create. Most numbers are known: only who is made costs a transaction.
 * @throws AppError 422 on `phone` when it is no phone number in this country
 */
export async function customerByPhone(
  scope: TenantScope,
  { phone, name, create }: ByPhone,
  { country, currency }: { country: string; currency: string },
): Promise<{ id: number | null; isNew: boolean }> {
  const { e164 } = requirePhone(phone, country);
  const known = await findCustomerIdByPhone(scope, e164);
  if (known !== null || !create) return { id: known, isNew: false };

  const values = newCustomer({ name: name ?? phone.trim(), phone, source: SOURCE }, country);
  const created = await scope.transaction((tx) => createUnlessTaken(tx, values, currency));
  if (created) return { id: created.record.id, isNew: true };
  // The faster request has committed: this insert waited for its row.
  return { id: await findCustomerIdByPhone(scope, e164), isNew: false };
}
