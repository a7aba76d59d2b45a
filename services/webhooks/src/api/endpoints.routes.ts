import {
  createdEndpoint,
  createEndpointBody,
  dataOf,
  endpointAdminSchema,
  pathId,
  removedRecord,
  rotatedSecret,
  rotateSecretBody,
  updateEndpointBody,
} from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, matching, notFound, ok, versioned } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';
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
import { faultsOfUrl, requireEndpointUrl, type UrlCheck } from '../use-cases/require-endpoint-url.ts';
import { rotateSecret } from '../use-cases/rotate-secret.ts';
import { answerWithSecret } from './answer-with-secret.ts';

const LIST = '/internal/tenants/:tenant_id/webhooks';
const SINGLE = `${LIST}/:id` as const;
const single = { params: pathId.loose(), response: { 200: dataOf(endpointAdminSchema) } };
/** A repetition shows the secret only as long as the endpoint is what it was. */
const created = dataOf(createdEndpoint.partial({ secret: true }));
const rotated = dataOf(rotatedSecret.partial({ secret: true }));
const config = { resource: 'Webhook endpoint' };

export interface EndpointRoutesDeps extends UrlCheck {
  database: Database;
  secrets: SigningSecrets;
  /** There is something to deliver, perhaps. */
  onWaiting: () => void;
}

export function endpointRoutes(app: App, deps: EndpointRoutesDeps): void {
  const { database, secrets, onWaiting } = deps;
  /** A url that can't be an endpoint's, beside the faults that the schema finds. */
  const moreFaults = async ({ body }: FastifyRequest) => {
    const { url } = (body ?? {}) as { url?: unknown };
    return (typeof url === 'string' && (await faultsOfUrl(deps, url))) || {};
  };

  app.post(
    LIST,
    { config: { moreFaults }, schema: { body: createEndpointBody, response: { 201: created } } },
    async (request, reply) => {
      const { body, tenantId } = request;
      const check = () => requireEndpointUrl(deps, body.url);
      return answerWithSecret({ request, reply, database, secrets, check }, async (tx) => {
        const { row, secret } = await createEndpoint(tx, secrets, body);
        const headers = { location: `/internal/tenants/${tenantId}/webhooks/${row.id}` };
        return { status: 201, headers, record: endpointRecord(row), version: row.version, secret };
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

  const changed = { config: { ...config, moreFaults }, schema: { ...single, body: updateEndpointBody } };
  app.patch(SINGLE, changed, async (request, reply) => {
    const { params, body, tenantId } = request;
    if (body.url !== undefined) await requireEndpointUrl(deps, body.url);
    const row = await database
      .forTenant(tenantId)
      .transaction((tx) => changeEndpoint(tx, params.id, body, matching(request)));
    if (row.is_active) onWaiting();
    return versioned(reply, row.version, endpointAdminRecord(row));
  });

  app.post(
    `${SINGLE}/rotate-secret`,
    { config, schema: { ...single, body: rotateSecretBody, response: { 200: rotated } } },
    async (request, reply) => {
      const options = { force: request.body.force, requireVersion: matching(request) };
      return answerWithSecret({ request, reply, database, secrets }, async (tx) => ({
        status: 200,
        ...(await rotateSecret(tx, secrets, request.params.id, options)),
      }));
    },
  );

  app.delete(
    SINGLE,
    { config, schema: { ...single, response: { 200: dataOf(removedRecord) } } },
    async ({ tenantId, params: { id } }) => {
      const scope = database.forTenant(tenantId);
      if (!(await scope.transaction((tx) => deleteEndpoint(tx, id)))) throw notFound(config.resource);
      return ok({ id, deleted: true as const });
    },
  );
}
