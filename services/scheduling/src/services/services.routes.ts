import { operations } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, notFound, ok, route, versioned } from '@frontdesk/service';
import { findActiveService, listActiveServices } from './service.repository.ts';
import { serviceRecord } from './service.rules.ts';

export function serviceRoutes(app: App, { database }: { database: Database }): void {
  route(app, operations.listServices, async ({ tenantId }) =>
    ok((await listActiveServices(database.forTenant(tenantId))).map(serviceRecord)),
  );

  route(app, operations.getService, async ({ tenantId, params }, reply) => {
    const row = await findActiveService(database.forTenant(tenantId), params.id);
    if (row === null) throw notFound('Service');
    return versioned(reply, row.version, serviceRecord(row));
  });
}
