import { customerByPhoneAnswer } from '@frontdesk/contracts';
import { AppError, type ServiceClient } from '@frontdesk/service';

/** While crm is away, messages don't wait for it one after the other: so long it isn't asked again. */
const AWAY_MS = 5_000;

export interface CustomerLookup {
  /**
   * The customer with this number (E.164), where `create` is set a new one if need be; null where there is none.
   * @throws AppError when crm can't say
   */
  byPhone(tenantId: number, phone: string, options: { create: boolean }): Promise<number | null>;
  /** Whether it has lately been found away, so that it isn't asked. */
  isAway(): boolean;
}

/** Asks crm, the owner of customers. */
export function createCustomerLookup(crm: ServiceClient): CustomerLookup {
  let awayUntilMs = 0;
  const isAway = () => Date.now() < awayUntilMs;
  return {
    isAway,
    async byPhone(tenantId, phone, { create }) {
      if (isAway()) throw new AppError('service_unavailable', 'The crm is not asked while it is away.');
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
        if (error instanceof AppError && error.code === 'service_unavailable')
          awayUntilMs = Date.now() + AWAY_MS;
        throw error;
      }
    },
  };
}
