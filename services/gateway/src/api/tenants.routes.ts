import {
  createTenantBody,
  dataOf,
  listTenantsQuery,
  pageOf,
  tenantSchema,
  tenantView,
  updateTenantBody,
  updateTenantProfileBody,
} from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, matching, notFound, ok, page, versioned } from '@frontdesk/service';
import { findTenant, listTenants, nextTenantId } from '../data/tenant.repository.ts';
import { tenantRecord, tenantViewRecord } from '../domain/tenant.ts';
import { changeTenant } from '../use-cases/change-tenant.ts';
import { createTenant } from '../use-cases/create-tenant.ts';
import { type Announce, announcing } from './announcing.ts';

interface Deps {
  database: Database;
  announce: Announce;
}

/** Tenants, for operators. */
export function tenantRoutes(app: App, deps: Deps): void {
  const { database } = deps;
  const change = announcing(deps);

  app.post(
    '/internal/tenants',
    { schema: { body: createTenantBody, response: { 201: dataOf(tenantSchema) } } },
    async ({ body }, reply) => {
      const scope = database.forTenant(await nextTenantId(database.system));
      return reply.code(201).send(ok(await scope.transaction((tx) => createTenant(tx, body))));
    },
  );

  app.get(
    '/internal/tenants',
    { schema: { querystring: listTenantsQuery, response: { 200: pageOf(tenantSchema) } } },
    async ({ query }) => {
      const { rows, ...meta } = await listTenants(database, query);
      return page(rows.map(tenantRecord), { ...query, ...meta });
    },
  );

  app.patch(
    '/internal/tenants/:tenant_id',
    { schema: { body: updateTenantBody, response: { 200: dataOf(tenantSchema) } } },
    async (request) => {
      const { tenantId, body } = request;
      const row = await change(tenantId, (scope) =>
        scope.transaction((tx) => changeTenant(tx, body, matching(request))),
      );
      return ok(tenantRecord(row));
    },
  );
}

/** One tenant, for operators, other services and its own admins. */
export function tenantViewRoutes(app: App, { database }: Pick<Deps, 'database'>): void {
  app.get(
    '/internal/tenants/:tenant_id',
    { schema: { response: { 200: dataOf(tenantView) } } },
    async (request, reply) => {
      const row = await findTenant(database.forTenant(request.tenantId));
      if (!row) throw notFound('Tenant');
      return versioned(reply, row.version, tenantViewRecord(row));
    },
  );
}

/** What a business's own admins may change of it. */
export function tenantProfileRoutes(app: App, deps: Deps): void {
  const change = announcing(deps);
  app.patch(
    '/internal/tenants/:tenant_id/profile',
    { schema: { body: updateTenantProfileBody, response: { 200: dataOf(tenantView) } } },
    async (request, reply) => {
      const { tenantId, body } = request;
      const row = await change(tenantId, (scope) =>
        scope.transaction((tx) => changeTenant(tx, body, matching(request))),
      );
      return versioned(reply, row.version, tenantViewRecord(row));
    },
  );
}
