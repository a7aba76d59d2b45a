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
import { deleteKey, listKeys, revokeKey } from '../data/api-key.repository.ts';
import { findTenant } from '../data/tenant.repository.ts';
import { apiKeyRecord } from '../domain/api-key.ts';
import { createKey } from '../use-cases/create-key.ts';
import { type Announce, announcing } from './announcing.ts';

const keyPath = { params: pathId.loose() };
const config = { resource: 'API key' };

/** A tenant's API keys, for operators and the tenant's own admins. */
export function keyRoutes(app: App, deps: { database: Database; announce: Announce }): void {
  const { database } = deps;
  const change = announcing(deps);

  app.post(
    '/internal/tenants/:tenant_id/keys',
    { schema: { body: createKeyBody, response: { 201: dataOf(createdApiKey) } } },
    async ({ tenantId, body: { name } }, reply) => {
      const key = await change(tenantId, (scope) => scope.transaction((tx) => createKey(tx, name)));
      return reply.code(201).send(ok(key));
    },
  );

  app.get(
    '/internal/tenants/:tenant_id/keys',
    { schema: { response: { 200: dataOf(z.array(apiKeySchema)) } } },
    async ({ tenantId }) => {
      const scope = database.forTenant(tenantId);
      const [tenant, rows] = await Promise.all([findTenant(scope), listKeys(scope)]);
      if (!tenant) throw notFound('Tenant');
      return ok(rows.map(apiKeyRecord));
    },
  );

  app.post(
    '/internal/tenants/:tenant_id/keys/:id/revoke',
    { config, schema: { ...keyPath, response: { 200: dataOf(apiKeySchema) } } },
    async ({ tenantId, params }) => {
      const row = await change(tenantId, (scope) => revokeKey(scope, params.id));
      if (!row) throw notFound(config.resource);
      return ok(apiKeyRecord(row));
    },
  );

  app.delete(
    '/internal/tenants/:tenant_id/keys/:id',
    { config, schema: { ...keyPath, response: { 200: dataOf(removedRecord) } } },
    async ({ tenantId, params }) => {
      if (!(await change(tenantId, (scope) => deleteKey(scope, params.id)))) throw notFound(config.resource);
      return ok({ id: params.id, deleted: true as const });
    },
  );
}
