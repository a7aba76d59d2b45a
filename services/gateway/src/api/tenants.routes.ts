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
import { tenantEntity, tenantRecord, tenantViewRecord } from '../data/tenant.entity.ts';
import type { TenantRepository } from '../data/tenant.repository.ts';
import { createTenant } from '../use-cases/create-tenant.ts';
import { updateTenant } from '../use-cases/update-tenant.ts';

interface Deps {
  database: Database;
  tenants: TenantRepository;
  announce: (tenantId: number) => void;
}

/** Tenants, for operators. */
export function tenantRoutes(app: App, deps: Deps): void {
  const { database, tenants, announce } = deps;

  app.post(
    '/internal/tenants',
    { schema: { body: createTenantBody, response: { 201: dataOf(tenantSchema) } } },
    async (request, reply) =>
      reply.code(201).send(ok(await createTenant({ database, tenants }, request.body))),
  );

  app.get(
    '/internal/tenants',
    { schema: { querystring: listTenantsQuery, response: { 200: pageOf(tenantSchema) } } },
    async ({ query }) => {
      const { rows, ...meta } = await tenants.page(query);
      return page(rows.map(tenantRecord), { ...query, ...meta });
    },
  );

  app.patch(
    '/internal/tenants/:tenant_id',
    { schema: { body: updateTenantBody, response: { 200: dataOf(tenantSchema) } } },
    async (request) => {
      const scope = database.forTenant(request.tenantId);
      return ok(tenantRecord(await updateTenant({ scope, announce }, request.body, matching(request))));
    },
  );
}

/** One tenant, for operators, other services and its own admins. */
export function tenantViewRoutes(app: App, { database }: Pick<Deps, 'database'>): void {
  app.get(
    '/internal/tenants/:tenant_id',
    { schema: { response: { 200: dataOf(tenantView) } } },
    async (request, reply) => {
      const row = await database.forTenant(request.tenantId).repository(tenantEntity).findOne({});
      if (!row) throw notFound('Tenant');
      return versioned(reply, row.version, tenantViewRecord(row));
    },
  );
}

/** What a business's own admins may change of it. */
export function tenantProfileRoutes(app: App, { database, announce }: Omit<Deps, 'tenants'>): void {
  app.patch(
    '/internal/tenants/:tenant_id/profile',
    { schema: { body: updateTenantProfileBody, response: { 200: dataOf(tenantView) } } },
    async (request, reply) => {
      const scope = database.forTenant(request.tenantId);
      const row = await updateTenant({ scope, announce }, request.body, matching(request));
      return versioned(reply, row.version, tenantViewRecord(row));
    },
  );
}
