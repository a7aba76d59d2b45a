import { crmRoutes, namedCustomer } from '@frontdesk/contracts';
import { requestOf, type ServiceClient } from '@frontdesk/service';

/** Whatever else of it crm says. */
const knownCustomers = namedCustomer.pick({ id: true }).array();

export interface CustomerLookup {
  exists(tenantId: number, customerId: number): Promise<boolean>;
}

/** Asks crm, the owner of customers. */
export function createCustomerLookup(crm: ServiceClient): CustomerLookup {
  return {
    async exists(tenantId, customerId) {
      const asked = requestOf(crmRoutes.listNamedCustomers, { tenantId, body: { ids: [customerId] } });
      return (await crm.request({ ...asked, schema: knownCustomers })).length > 0;
    },
  };
}
