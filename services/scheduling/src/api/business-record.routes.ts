import { businessSchema, dataOf } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, etagOfContent, ok } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import { showBusiness } from '../use-cases/show-business.ts';

/** The business that a key belongs to, for integrators. */
export function businessRecordRoute(app: App, deps: { database: Database; tenants: TenantDirectory }): void {
  app.get(
    '/api/v1/business',
    { schema: { response: { 200: dataOf(businessSchema) } } },
    async ({ tenantId, identity }, reply) => {
      const tenant = await deps.tenants.find(tenantId);
      const record = await showBusiness(deps.database.forTenant(tenantId), tenant, identity.plan);
      reply.header('etag', etagOfContent(record));
      return ok(record);
    },
  );
}
