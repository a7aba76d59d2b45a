import { pathId } from '@frontdesk/contracts';
import type { App } from '@frontdesk/service';
import { regionOf } from '../../domain/shared/region.ts';
import { loadEndpoint } from '../../use-cases/load-endpoint.ts';
import { orNull } from '../../use-cases/or-null.ts';
import { liveEndpoint } from '../../views/integrations/endpoint.view.ts';
import type { AreaDeps } from '../shared/area-deps.ts';
import { LIVE_ROUTE } from '../shared/live-streams.ts';
import { testQuery } from './endpoint-page.ts';

/** How an endpoint fares, its test event and its replays as server-sent events: their markup, whenever that has changed. */
export function liveEndpointRoutes(app: App, deps: AreaDeps): void {
  const { gateway, webhooks, streams } = deps;
  app.get(
    '/settings/api/webhooks/:id/live',
    { ...LIVE_ROUTE, schema: { params: pathId, querystring: testQuery } },
    async (request, reply) => {
      const { tenantId } = request;
      const { id } = request.params;
      const { test } = request.query;
      const region = regionOf({ tenant: await orNull(gateway.tenant(tenantId)) });
      return streams.send(request, reply, async (context) => {
        const { endpoint, ...loaded } = await loadEndpoint(deps, tenantId, { id, test });
        return liveEndpoint(context, {
          ...loaded,
          region,
          endpoint: endpoint ?? (await webhooks.endpoint(tenantId, id)),
        });
      });
    },
  );
}
