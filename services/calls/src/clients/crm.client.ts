import { customerByPhoneAnswer } from '@frontdesk/contracts';
import { AppError, type ServiceClient } from '@frontdesk/service';

export interface CustomerLookup {
  /**
   * The customer with this number (E.164), where `create` is set a new one if need be; null where there is none.
   * @throws AppError when crm can't say
   */
  byPhone(tenantId: number, phone: string, options: { create: boolean }): Promise<number | null>;
}

/** Asks crm, the owner of customers. */
export function createCustomerLookup(crm: ServiceClient): CustomerLookup {
  return {
    async byPhone(tenantId, phone, { create }) {
      try {
        const { customer_id } = await crm.request({
          method: 'POST',
          path: `/internal/tenants/${tenantId}/customers/by-phone`,
          tenantId,
          body: { phone, create },
          schema: customerByPhoneAnswer,
        });
        return customer_id;
      } catch (error) {
        // No phone number to crm: nobody has it.
        if (error instanceof AppError && error.code === 'validation_failed') return null;
        throw error;
      }
    },
  };
}
