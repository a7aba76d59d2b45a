import { businessDocument, dataOf, importedBusiness } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, ok } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import { readBusiness } from '../data/business.repository.ts';
import { holdBusiness } from '../data/settings.repository.ts';
import { businessDocumentOf } from '../domain/business.ts';
import { importBusiness } from '../use-cases/import-business.ts';

/** Two hundred members of staff, each with hours, a hundred exceptions and a hundred stretches of time off, are some 4 MiB. */
const DOCUMENT_LIMIT_BYTES = 32 * 1024 * 1024;

/** A whole business as one document, for people to keep in a file. */
export function businessRoutes(app: App, deps: { database: Database; tenants: TenantDirectory }): void {
  app.get(
    '/internal/tenants/:tenant_id/business',
    { schema: { response: { 200: dataOf(businessDocument) } } },
    async ({ tenantId }) => {
      const scope = deps.database.forTenant(tenantId);
      return ok(
        businessDocumentOf(await scope.transaction(async (tx) => readBusiness(tx, await holdBusiness(tx)))),
      );
    },
  );

  app.put(
    '/internal/tenants/:tenant_id/business',
    {
      bodyLimit: DOCUMENT_LIMIT_BYTES,
      schema: { body: businessDocument, response: { 200: dataOf(importedBusiness) } },
    },
    async (request) => {
      const tenant = await deps.tenants.find(request.tenantId);
      const scope = deps.database.forTenant(request.tenantId);
      return ok(await scope.transaction((tx) => importBusiness(tx, request.body, tenant)));
    },
  );
}
