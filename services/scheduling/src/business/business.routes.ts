import { Readable } from 'node:stream';
import { schedulingRoutes } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, clientGone, ok, route, timeSlices } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import { shareBusiness } from '../booking-settings/booking-settings.repository.ts';
import { readBusiness } from './business.repository.ts';
import { documentText, parsedDocument } from './business-document.ts';
import { createImportQueue } from './import.queue.ts';
import { importBusiness } from './import-business.ts';

/** Two hundred staff members, each with hours, a hundred exceptions and a hundred stretches of time off, are some 4 MiB. */
const DOCUMENT_LIMIT_BYTES = 32 * 1024 * 1024;

/** A whole business as one document, for people to keep in a file. It may be long: it is read and written in slices. */
export function businessExportRoute(app: App, { database }: { database: Database }): void {
  route(app, schedulingRoutes.exportBusiness, async ({ tenantId }, reply) => {
    const pause = timeSlices({ signal: clientGone(reply) });
    const scope = database.forTenant(tenantId);
    const business = await scope.transaction(async (tx) => readBusiness(tx, await shareBusiness(tx)));
    reply.type('application/json; charset=utf-8');
    return reply.send(Readable.from(documentText(business, pause)));
  });
}

/** Brings a business to what a document says, one business at a time. */
export function businessImportRoute(
  app: App,
  { database, tenants }: { database: Database; tenants: TenantDirectory },
): void {
  const imports = createImportQueue();

  route(
    app,
    schedulingRoutes.importBusiness,
    async ({ tenantId, body }) => {
      const imported = await imports.run(async () => {
        const document = await parsedDocument(body);
        const tenant = await tenants.find(tenantId);
        return database.forTenant(tenantId).transaction((tx) => importBusiness(tx, document, tenant));
      });
      return ok(imported);
    },
    { bodyLimit: DOCUMENT_LIMIT_BYTES },
  );
}
