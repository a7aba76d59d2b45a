import { pathTo, webhooksRoutes } from '@frontdesk/contracts';
import { type App, etagOf, notFound, ok, route, versioned } from '@frontdesk/service';
import { findEndpointWithHealth, listEndpointsWithHealth } from './endpoint.repository.ts';
import { endpointAdminRecord, endpointRecord } from './endpoint.rules.ts';
import { type EndpointDeps, endpointRequests } from './endpoint-requests.ts';

/** Endpoints for those who run a business, with the health that their deliveries show. */
export function endpointRoutes(app: App, deps: EndpointDeps): void {
  const { database } = deps;
  const requests = endpointRequests(deps);
  const { moreFieldFaults } = requests;

  route(
    app,
    webhooksRoutes.createEndpoint,
    (request, reply) =>
      requests.create(request, reply, (row) => ({
        record: endpointRecord(row),
        etag: etagOf(row.version),
        headers: {
          location: pathTo(webhooksRoutes.getEndpoint, { tenant_id: request.tenantId, id: row.id }),
        },
      })),
    { moreFieldFaults },
  );

  route(app, webhooksRoutes.listEndpoints, async ({ tenantId }) =>
    ok((await listEndpointsWithHealth(database.forTenant(tenantId))).map(endpointAdminRecord)),
  );

  route(app, webhooksRoutes.getEndpoint, async ({ tenantId, params }, reply) => {
    const row = await findEndpointWithHealth(database.forTenant(tenantId), params.id);
    if (row === null) throw notFound('Webhook endpoint');
    return versioned(reply, row.version, endpointAdminRecord(row));
  });

  route(
    app,
    webhooksRoutes.updateEndpoint,
    async (request, reply) => {
      const row = await requests.update(request);
      return versioned(reply, row.version, endpointAdminRecord(row));
    },
    { moreFieldFaults },
  );

  route(app, webhooksRoutes.rotateSecret, (request, reply) =>
    requests.rotateSecret(request, reply, ({ id, version, previous_secret_until: until }) => ({
      record: { id, previous_secret_until: until?.toISOString() ?? '' },
      etag: etagOf(version),
    })),
  );

  route(app, webhooksRoutes.deleteEndpoint, requests.remove);
}
