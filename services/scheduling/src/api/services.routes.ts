import { dataOf, pathId, serviceSchema } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, notFound, ok, versioned } from '@frontdesk/service';
import { z } from 'zod';
import { findActiveService, listActiveServices } from '../data/service.repository.ts';
import { serviceRecord } from '../domain/service.ts';

export function serviceRoutes(app: App, { database }: { database: Database }): void {
  app.get(
    '/api/v1/services',
    { schema: { response: { 200: dataOf(z.array(serviceSchema)) } } },
    async ({ tenantId }) => ok((await listActiveServices(database.forTenant(tenantId))).map(serviceRecord)),
  );

  app.get(
    '/api/v1/services/:id',
    { config: { resource: 'Service' }, schema: { params: pathId, response: { 200: dataOf(serviceSchema) } } },
    async ({ tenantId, params }, reply) => {
      const row = await findActiveService(database.forTenant(tenantId), params.id);
      if (row === null) throw notFound('Service');
      return versioned(reply, row.version, serviceRecord(row));
    },
  );
}
