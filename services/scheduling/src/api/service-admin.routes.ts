import { idempotent } from '@frontdesk/chassis';
import {
  createServiceBody,
  dataOf,
  pathId,
  serviceAdminSchema,
  updateServiceBody,
} from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, matching, notFound, ok, versioned } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { findServiceForAdmin, listServicesForAdmin } from '../data/service.repository.ts';
import { type ServiceAdminRow, serviceAdminRecord } from '../domain/service.ts';
import { changeService, deleteService } from '../use-cases/change-service.ts';
import { createService } from '../use-cases/create-service.ts';
import { created } from './created.ts';

const LIST = '/internal/tenants/:tenant_id/services';
const SINGLE = `${LIST}/:id` as const;
const single = { params: pathId.loose(), response: { 200: dataOf(serviceAdminSchema) } };
const config = { resource: 'Service' };

/** What a business offers, for those who run it. */
export function serviceAdminRoutes(app: App, deps: { database: Database; tenants: TenantDirectory }): void {
  const { database, tenants } = deps;

  const show = (reply: FastifyReply, row: ServiceAdminRow) =>
    versioned(reply, row.version, serviceAdminRecord(row));

  app.get(
    LIST,
    { schema: { response: { 200: dataOf(z.array(serviceAdminSchema)) } } },
    async ({ tenantId }) =>
      ok((await listServicesForAdmin(database.forTenant(tenantId))).map(serviceAdminRecord)),
  );

  app.post(
    LIST,
    { schema: { body: createServiceBody, response: { 201: dataOf(serviceAdminSchema) } } },
    async (request, reply) => {
      const tenant = await tenants.find(request.tenantId);
      const scope = database.forTenant(request.tenantId);
      return idempotent({ request, reply, scope }, (transaction) =>
        transaction(async (tx) => {
          const row = await createService(tx, request.body, tenant);
          return created(
            `/internal/tenants/${request.tenantId}/services`,
            row.version,
            serviceAdminRecord(row),
          );
        }),
      );
    },
  );

  app.get(SINGLE, { config, schema: single }, async ({ tenantId, params }, reply) => {
    const row = await findServiceForAdmin(database.forTenant(tenantId), params.id);
    if (row === null) throw notFound('Service');
    return show(reply, row);
  });

  app.patch(SINGLE, { config, schema: { ...single, body: updateServiceBody } }, async (request, reply) => {
    const { params, body, tenantId } = request;
    const { currency, quotas } = await tenants.find(tenantId);
    const context = { currency, quotas, requireVersion: matching(request) };
    const scope = database.forTenant(tenantId);
    return show(reply, await scope.transaction((tx) => changeService(tx, params.id, body, context)));
  });

  app.delete(SINGLE, { config, schema: single }, async (request, reply) => {
    const { params, tenantId } = request;
    const scope = database.forTenant(tenantId);
    return show(reply, await scope.transaction((tx) => deleteService(tx, params.id, matching(request))));
  });
}
