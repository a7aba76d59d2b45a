import { crmRoutes, namedCustomer } from '@frontdesk/contracts';
import { requestOf, type ServiceClient } from '@frontdesk/service';

/** Whatever else of it crm says. */
const knownCustomers = namedCustomer.pick({ id: true, merged_into: true }).array();

export interface CustomerLookup {
  /** The customer with this id, or the one that they have become part of; null where there is none. */
  find(tenantId: number, customerId: number): Promise<number | null>;
}

/** Asks crm, the owner of customers. */
export function createCustomerLookup(crm: ServiceClient): CustomerLookup {
  return {
    async find(tenantId, customerId) {
      const asked = requestOf(crmRoutes.listNamedCustomers, { tenantId, body: { ids: [customerId] } });
      const [known] = await crm.request({ ...asked, schema: knownCustomers });
      return known ? (known.merged_into ?? known.id) : null;
    },
  };
}
