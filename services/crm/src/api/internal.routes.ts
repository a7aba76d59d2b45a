import { customerListEntry, customersByIdsBody, dataOf, namedCustomer, pathId } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, notFound, ok } from '@frontdesk/service';
import { findCustomer, findNamedCustomers } from '../data/customer.repository.ts';
import { customerListRecord } from '../domain/customer.ts';

/** What other services ask the crm; the tenant comes from the path, see `requireIdentity`. */
export function internalRoutes(app: App, { database }: { database: Database }): void {
  app.get(
    '/internal/tenants/:tenant_id/customers/:id',
    {
      config: { resource: 'Customer' },
      schema: { params: pathId, response: { 200: dataOf(customerListEntry) } },
    },
    async ({ params, tenantId }) => {
      const customer = await findCustomer(database.forTenant(tenantId), params.id);
      if (!customer) throw notFound('Customer');
      return ok(customerListRecord(customer));
    },
  );

  app.post(
    '/internal/tenants/:tenant_id/customers/by-ids',
    { schema: { body: customersByIdsBody, response: { 200: dataOf(namedCustomer.array()) } } },
    async ({ body, tenantId }) => ok(await findNamedCustomers(database.forTenant(tenantId), body.ids)),
  );
}
