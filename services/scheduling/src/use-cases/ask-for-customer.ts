import type { CustomerLookup } from '../clients/crm.client.ts';
import { rememberThatCustomerExists } from '../data/customer.repository.ts';
import type { TenantReads } from '../data/tenant-reads.ts';

/**
 * Whether the business has a customer whom no event has told of yet, by crm's word; a yes is remembered, a no never: the customer
 * may be created any moment.
 * @throws AppError `service_unavailable` when crm is away
 */
export async function askForCustomer(
  db: TenantReads,
  lookup: CustomerLookup,
  customerId: number,
): Promise<boolean> {
  const exists = await lookup.exists(db.tenantId, customerId);
  if (exists) await rememberThatCustomerExists(db, customerId);
  return exists;
}
