import {
  createdEndpoint,
  createEndpointBody,
  dataOf,
  endpointAdminSchema,
  pathId,
  updateEndpointBody,
} from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, etagOf, matching, notFound, ok, versioned } from '@frontdesk/service';
import { z } from 'zod';
import {
  deleteEndpoint,
  findEndpointWithHealth,
  listEndpointsWithHealth,
} from '../data/endpoint.repository.ts';
import { endpointAdminRecord, endpointRecord } from '../domain/endpoint.ts';
import type { SigningSecrets } from '../state/signing-secrets.ts';
import { changeEndpoint } from '../use-cases/change-endpoint.ts';
import { createEndpoint } from '../use-cases/create-endpoint.ts';
import { requireEndpointUrl, type UrlCheck } from '../use-cases/require-endpoint-url.ts';
import { answerWithSecret } from './answer-with-secret.ts';

const LIST = '/internal/tenants/:tenant_id/webhooks';
const SINGLE = `${LIST}/:id` as const;
const single = { params: pathId.loose(), response: { 200: dataOf(endpointAdminSchema) } };
/** A repetition shows the secret only as long as the endpoint is what it was. */
const repeatable = createdEndpoint.partial({ secret: true });
const config = { resource: 'Webhook endpoint' };
type EndpointRecord = ReturnType<typeof endpointRecord>;
const deleted = z.object({ id: z.int(), deleted: z.literal(true) });

export interface EndpointRoutesDeps extends UrlCheck {
  database: Database;
  secrets: SigningSecrets;
  /** There is something to deliver, perhaps. */
  onWaiting: () => void;
}

export function endpointRoutes(app: App, deps: EndpointRoutesDeps): void {
  const { database, secrets, onWaiting } = deps;

  app.post(
    LIST,
    { schema: { body: createEndpointBody, response: { 201: dataOf(repeatable) } } },
    async (request, reply) => {
      const { body, tenantId } = request;
      return answerWithSecret<EndpointRecord>({ request, reply, database, secrets }, async (transaction) => {
        await requireEndpointUrl(deps, body.url);
        return transaction(async (tx) => {
          const { row, secret } = await createEndpoint(tx, secrets, body);
          const location = `/internal/tenants/${tenantId}/webhooks/${row.id}`;
          const headers = { etag: etagOf(row.version), location };
          return { answer: { status: 201, body: ok(endpointRecord(row)), headers }, secret };
        });
      });
    },
  );

  app.get(
    LIST,
    { schema: { response: { 200: dataOf(z.array(endpointAdminSchema)) } } },
    async ({ tenantId }) =>
      ok((await listEndpointsWithHealth(database.forTenant(tenantId))).map(endpointAdminRecord)),
  );

  app.get(SINGLE, { config, schema: single }, async ({ tenantId, params }, reply) => {
    const row = await findEndpointWithHealth(database.forTenant(tenantId), params.id);
    if (row === null) throw notFound(config.resource);
    return versioned(reply, row.version, endpointAdminRecord(row));
  });

  app.patch(SINGLE, { config, schema: { ...single, body: updateEndpointBody } }, async (request, reply) => {
    const { params, body, tenantId } = request;
    if (body.url !== undefined) await requireEndpointUrl(deps, body.url);
    const row = await database
      .forTenant(tenantId)
      .transaction((tx) => changeEndpoint(tx, params.id, body, matching(request)));
    if (row.is_active) onWaiting();
    return versioned(reply, row.version, endpointAdminRecord(row));
  });

  app.delete(
    SINGLE,
    { config, schema: { params: pathId.loose(), response: { 200: dataOf(deleted) } } },
    async ({ tenantId, params: { id } }) => {
      const scope = database.forTenant(tenantId);
      if (!(await scope.transaction((tx) => deleteEndpoint(tx, id)))) throw notFound(config.resource);
      return ok({ id, deleted: true as const });
    },
  );
}
