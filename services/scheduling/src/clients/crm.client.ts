import { namedCustomer } from '@frontdesk/contracts';
import type { ServiceClient } from '@frontdesk/service';

const knownCustomers = namedCustomer.pick({ id: true }).array();

export interface CustomerLookup {
  exists(tenantId: number, customerId: number): Promise<boolean>;
}

/** Asks crm, the owner of customers. */
export function createCustomerLookup(crm: ServiceClient): CustomerLookup {
  return {
    async exists(tenantId, customerId) {
      const found = await crm.request({
        method: 'POST',
        path: `/internal/tenants/${tenantId}/customers/by-ids`,
        tenantId,
        body: { ids: [customerId] },
        schema: knownCustomers,
      });
      return found.length > 0;
    },
  };
}
