import type { TenantReads } from '@frontdesk/database';
import type { CustomerLookup } from '../clients/crm.client.ts';
import { insertKnownCustomer } from '../data/customer.repository.ts';

/**
 * Whether crm has this customer, whom no event has brought yet. A yes is cached; a no never, as the customer may be created any
 * moment.
 * @throws AppError `service_unavailable` when crm is away
 */
export async function askForCustomer(
  db: TenantReads,
  lookup: CustomerLookup,
  customerId: number,
): Promise<boolean> {
  const exists = await lookup.exists(db.tenantId, customerId);
  if (exists) await insertKnownCustomer(db, customerId);
  return exists;
}
