import { dataOf, pathId, serviceSchema } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, notFound, ok, versioned } from '@frontdesk/service';
import { z } from 'zod';
import { serviceEntity, serviceRecord } from '../data/service.entity.ts';

export function serviceRoutes(app: App, deps: { database: Database }): void {
  const services = (tenantId: number) => deps.database.forTenant(tenantId).repository(serviceEntity);

  app.get(
    '/api/v1/services',
    { schema: { response: { 200: dataOf(z.array(serviceSchema)) } } },
    async (request) => {
      const rows = await services(request.tenantId).find({
        where: { is_active: true },
        order: { id: 'ASC' },
      });
      return ok(rows.map(serviceRecord));
    },
  );

  app.get(
    '/api/v1/services/:id',
    { config: { resource: 'Service' }, schema: { params: pathId, response: { 200: dataOf(serviceSchema) } } },
    async (request, reply) => {
      const row = await services(request.tenantId).findOne({ id: request.params.id, is_active: true });
      if (row === null) throw notFound('Service');
      return versioned(reply, row.version, serviceRecord(row));
    },
  );
}
