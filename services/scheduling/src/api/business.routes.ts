import { businessDocument, dataOf, importedBusiness } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, ok } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import { importBusiness } from '../use-cases/import-business.ts';

export function businessRoutes(app: App, deps: { database: Database; tenants: TenantDirectory }): void {
  app.put(
    '/internal/tenants/:tenant_id/business',
    { schema: { body: businessDocument, response: { 200: dataOf(importedBusiness) } } },
    async (request) => {
      const { currency } = await deps.tenants.find(request.tenantId);
      const scope = deps.database.forTenant(request.tenantId);
      return ok(await scope.transaction((tx) => importBusiness(tx, request.body, currency)));
    },
  );
}
