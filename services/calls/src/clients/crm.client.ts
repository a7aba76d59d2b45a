import { customerByPhoneAnswer } from '@frontdesk/contracts';
import { AppError, type ServiceClient } from '@frontdesk/service';

export type CustomerLookup = ReturnType<typeof createCustomerLookup>;

/** Asks crm, the owner of customers. */
export function createCustomerLookup(crm: ServiceClient) {
  return {
    /**
     * The customer with this number (E.164), where `create` is set a new one if need be; null where there is none.
     * @throws AppError when crm can't say
     */
    async byPhone(tenantId: number, phone: string, { create }: { create: boolean }): Promise<number | null> {
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
