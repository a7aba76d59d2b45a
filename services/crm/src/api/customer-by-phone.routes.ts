import { customerByPhoneAnswer, customerByPhoneBody, dataOf } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, ok } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import { customerByPhone } from '../use-cases/customer-by-phone.ts';

const answer = dataOf(customerByPhoneAnswer);

/** Whose number it is, for the service that takes calls in; the tenant comes from the path, see `requireIdentity`. */
export function customerByPhoneRoutes(
  app: App,
  deps: { database: Database; tenants: TenantDirectory },
): void {
  const { database, tenants } = deps;
  app.post(
    '/internal/tenants/:tenant_id/customers/by-phone',
    { schema: { body: customerByPhoneBody, response: { 200: answer, 201: answer } } },
    async ({ body, tenantId }, reply) => {
      const tenant = await tenants.find(tenantId);
      const { id, isNew } = await customerByPhone(database.forTenant(tenantId), body, tenant);
      reply.code(isNew ? 201 : 200);
      return ok({ customer_id: id });
    },
  );
}
