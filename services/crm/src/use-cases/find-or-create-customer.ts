import type { TenantTransaction } from '@frontdesk/database';
import {
  findCustomerIdByPhone,
  findCustomerWithTotals,
  type NewCustomer,
} from '../data/customer.repository.ts';
import { customerRecord } from '../domain/customer.ts';
import { type CustomerAndVersion, createUnlessTaken } from './create-customer.ts';

/** The customer who has the number; one is added, with the event, where nobody has. However many ask at once, one is added. */
export async function findOrCreateCustomer(
  tx: TenantTransaction,
  values: NewCustomer,
  currency: string,
): Promise<CustomerAndVersion & { isNew: boolean }> {
  const created = await createUnlessTaken(tx, values, currency);
  if (created) return { ...created, isNew: true };
  // The insert has waited for the other transaction's row, so that transaction has committed.
  const id = (await findCustomerIdByPhone(tx, values.phone_e164)) as number;
  const row = await findCustomerWithTotals(tx, id, currency);
  if (!row) throw new Error(`Customer ${id} has a number and no row.`);
  return { record: customerRecord(row, row, currency), version: row.version, isNew: false };
}
