import type { CustomerLookup } from '../clients/crm.client.ts';
import { isKnownCustomer, rememberThatCustomerExists } from '../data/customer.repository.ts';
import type { TenantReads } from '../data/tenant-reads.ts';

/**
 * Whether the business has this customer. One whom no event has told of yet is asked for at crm; a yes is remembered,
 * a no never: the customer may be created any moment.
 * @throws AppError `service_unavailable` when crm would have to be asked and is away.
 */
export async function checkCustomer(
  db: TenantReads,
  lookup: CustomerLookup,
  customerId: number,
): Promise<boolean> {
  if (await isKnownCustomer(db, customerId)) return true;
  const exists = await lookup.exists(db.tenantId, customerId);
  if (exists) await rememberThatCustomerExists(db, customerId);
  return exists;
}
