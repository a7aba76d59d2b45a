import { customerCounts, customersByIdsBody, dataOf, namedCustomer, stagesInUse } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, ok } from '@frontdesk/service';
import { findNamedCustomers } from '../data/customer.repository.ts';
import { listStages, readCustomerCounts } from '../data/customer-count.repository.ts';

/** What other services and admins ask the crm; the tenant comes from the path, see `requireIdentity`. */
export function internalRoutes(app: App, { database }: { database: Database }): void {
  app.post(
    '/internal/tenants/:tenant_id/customers/by-ids',
    { schema: { body: customersByIdsBody, response: { 200: dataOf(namedCustomer.array()) } } },
    async ({ body, tenantId }) => ok(await findNamedCustomers(database.forTenant(tenantId), body.ids)),
  );
  app.get(
    '/internal/tenants/:tenant_id/customer-counts',
    { schema: { response: { 200: dataOf(customerCounts) } } },
    async ({ tenantId }) => ok(await readCustomerCounts(database.forTenant(tenantId))),
  );
  app.get(
    '/internal/tenants/:tenant_id/pipeline-stages',
    { schema: { response: { 200: dataOf(stagesInUse) } } },
    async ({ tenantId }) => ok(await listStages(database.forTenant(tenantId))),
  );
}
