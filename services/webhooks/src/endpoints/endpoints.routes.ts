import { operations, pathTo } from '@frontdesk/contracts';
import { type App, etagOf, notFound, ok, route, versioned } from '@frontdesk/service';
import type { FastifyReply } from 'fastify';
import { findEndpointShown, listEndpoints } from './endpoint.repository.ts';
import { type EndpointShownRow, webhookRecord } from './endpoint.rules.ts';
import { type EndpointDeps, endpointRequests } from './endpoint-requests.ts';

/** How an endpoint fares changes without a new version, so the ETag covers the whole record. */
const show = (reply: FastifyReply, row: EndpointShownRow) => {
  const record = webhookRecord(row);
  return versioned(reply, row.version, record, record);
};

const shown = (row: EndpointShownRow) => {
  const record = webhookRecord(row);
  return { record, etag: etagOf(row.version, record) };
};

/** Endpoints for integrators. */
export function webhookRoutes(app: App, deps: EndpointDeps): void {
  const { database } = deps;
  const requests = endpointRequests(deps);
  const { moreFieldFaults } = requests;

  route(
    app,
    operations.createWebhook,
    (request, reply) =>
      requests.create(request, reply, (row) => ({
        ...shown(row),
        headers: { location: pathTo(operations.getWebhook, { id: row.id }) },
      })),
    { moreFieldFaults },
  );

  route(app, operations.listWebhooks, async ({ tenantId }) =>
    ok((await listEndpoints(database.forTenant(tenantId))).map(webhookRecord)),
  );

  route(app, operations.getWebhook, async ({ tenantId, params }, reply) => {
    const row = await findEndpointShown(database.forTenant(tenantId), params.id);
    if (row === null) throw notFound('Webhook endpoint');
    return show(reply, row);
  });

  route(
    app,
    operations.updateWebhook,
    async (request, reply) => show(reply, await requests.update(request)),
    { moreFieldFaults },
  );

  route(app, operations.rollWebhookSecret, (request, reply) => requests.rotateSecret(request, reply, shown));

  route(app, operations.deleteWebhook, requests.remove);
}
