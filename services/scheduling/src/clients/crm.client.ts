import { customerListEntry } from '@frontdesk/contracts';
import { AppError, type ServiceClient } from '@frontdesk/service';

const knownCustomer = customerListEntry.pick({ id: true });

export interface CustomerLookup {
  exists(tenantId: number, customerId: number): Promise<boolean>;
}

/** Asks crm, the owner of customers. */
export function createCustomerLookup(crm: ServiceClient): CustomerLookup {
  return {
    async exists(tenantId, customerId) {
      try {
        await crm.request({
          method: 'GET',
          path: `/internal/tenants/${tenantId}/customers/${customerId}`,
          tenantId,
          schema: knownCustomer,
        });
        return true;
      } catch (error) {
        if (error instanceof AppError && error.code === 'not_found') return false;
        throw error;
      }
    },
  };
}
