import {
  apiKeySchema,
  createdApiKey,
  createKeyBody,
  dataOf,
  pathId,
  removedRecord,
} from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, notFound, ok } from '@frontdesk/service';
import { z } from 'zod';
import { apiKeyEntity, apiKeyRecord } from '../data/api-key.entity.ts';
import { tenantEntity } from '../data/tenant.entity.ts';
import { createKey } from '../use-cases/create-key.ts';
import { deleteKey } from '../use-cases/delete-key.ts';
import { revokeKey } from '../use-cases/revoke-key.ts';

const keyPath = { params: pathId.loose() };
const config = { resource: 'API key' };

/** A tenant's API keys, for operators and the tenant's own admins. */
export function keyRoutes(
  app: App,
  deps: { database: Database; announce: (tenantId: number) => void },
): void {
  const acting = (tenantId: number) => ({
    scope: deps.database.forTenant(tenantId),
    announce: deps.announce,
  });

  app.post(
    '/internal/tenants/:tenant_id/keys',
    { schema: { body: createKeyBody, response: { 201: dataOf(createdApiKey) } } },
    async (request, reply) =>
      reply.code(201).send(ok(await createKey(acting(request.tenantId), request.body.name))),
  );

  app.get(
    '/internal/tenants/:tenant_id/keys',
    { schema: { response: { 200: dataOf(z.array(apiKeySchema)) } } },
    async ({ tenantId }) => {
      const { scope } = acting(tenantId);
      const [tenant, rows] = await Promise.all([
        scope.repository(tenantEntity).findOne({}),
        scope.repository(apiKeyEntity).find({ order: { id: 'DESC' } }),
      ]);
      if (!tenant) throw notFound('Tenant');
      return ok(rows.map(apiKeyRecord));
    },
  );

  app.post(
    '/internal/tenants/:tenant_id/keys/:id/revoke',
    { config, schema: { ...keyPath, response: { 200: dataOf(apiKeySchema) } } },
    async ({ tenantId, params }) => ok(apiKeyRecord(await revokeKey(acting(tenantId), params.id))),
  );

  app.delete(
    '/internal/tenants/:tenant_id/keys/:id',
    { config, schema: { ...keyPath, response: { 200: dataOf(removedRecord) } } },
    async ({ tenantId, params }) => {
      await deleteKey(acting(tenantId), params.id);
      return ok({ id: params.id, deleted: true as const });
    },
  );
}
