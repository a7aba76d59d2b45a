import { crmRoutes } from '@frontdesk/contracts';
import { AppError, requestOf, type ServiceClient } from '@frontdesk/service';

export type CustomerLookup = ReturnType<typeof createCustomerLookup>;

/** Asks crm, the owner of customers. */
export function createCustomerLookup(crm: ServiceClient) {
  return {
    /**
     * The customer with this number (E.164), where `create` is set a new one if need be; null where there is none, and `quota_full` where
     * there would be a new one, but the business has as many as its plan allows.
     * @throws AppError when crm can't say
     */
    async byPhone(
      tenantId: number,
      phone: string,
      { create }: { create: boolean },
    ): Promise<number | null | 'quota_full'> {
      try {
        const asked = { tenantId, body: { phone, create } };
        return (await crm.request(requestOf(crmRoutes.findCustomerByPhone, asked))).customer_id;
      } catch (error) {
        // No phone number to crm: nobody has it.
        if (error instanceof AppError && error.code === 'validation_failed') return null;
        if (error instanceof AppError && error.code === 'quota_exceeded') return 'quota_full';
        throw error;
      }
    },
  };
}
