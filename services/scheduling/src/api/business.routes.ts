import { Readable } from 'node:stream';
import { dataOf, documentWithRawStaff, importedBusiness } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, clientGone, ok, timeSlices } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import { readBusiness } from '../data/business.repository.ts';
import { shareBusiness } from '../data/settings.repository.ts';
import { importBusiness } from '../use-cases/import-business.ts';
import { documentText, parsedDocument } from './business-document.ts';

/** Two hundred staff members, each with hours, a hundred exceptions and a hundred stretches of time off, are some 4 MiB. */
const DOCUMENT_LIMIT_BYTES = 32 * 1024 * 1024;

/** A whole business as one document, for people to keep in a file. It may be long: it is read and written in slices. */
export function businessRoutes(app: App, deps: { database: Database; tenants: TenantDirectory }): void {
  const { database, tenants } = deps;

  app.get('/internal/tenants/:tenant_id/business', async ({ tenantId }, reply) => {
    const pause = timeSlices({ signal: clientGone(reply) });
    const scope = database.forTenant(tenantId);
    const business = await scope.transaction(async (tx) => readBusiness(tx, await shareBusiness(tx)));
    reply.type('application/json; charset=utf-8');
    return Readable.from(documentText(business, pause));
  });

  app.put(
    '/internal/tenants/:tenant_id/business',
    {
      bodyLimit: DOCUMENT_LIMIT_BYTES,
      schema: { body: documentWithRawStaff, response: { 200: dataOf(importedBusiness) } },
    },
    async ({ tenantId, body }) => {
      const document = await parsedDocument(body);
      const tenant = await tenants.find(tenantId);
      const scope = database.forTenant(tenantId);
      return ok(await scope.transaction((tx) => importBusiness(tx, document, tenant)));
    },
  );
}
