import { pathId } from '@frontdesk/contracts';
import type { App } from '@frontdesk/service';
import type { AreaDeps } from '../area-deps.ts';
import { orNull } from '../clients/or-null.ts';
import { LIVE_ROUTE } from '../live/live-streams.ts';
import { regionOf } from '../region/region.rules.ts';
import { liveEndpoint } from './endpoint.view.ts';
import { testQuery } from './endpoint-page.ts';
import { loadEndpoint } from './load-endpoint.ts';

/**
 * How an endpoint fares, its test event and its replays as server-sent events: their markup, whenever that has changed.
 */
export function liveEndpointRoutes(app: App, deps: AreaDeps): void {
  const { gateway, webhooks, streams } = deps;
  app.get(
    '/settings/api/webhooks/:id/live',
    { ...LIVE_ROUTE, schema: { params: pathId, querystring: testQuery } },
    async (request, reply) => {
      const { session: by } = request;
      const { id } = request.params;
      const { test } = request.query;
      await webhooks.endpoint(by, id);
      const region = regionOf({ tenant: await orNull(gateway.tenant(by)) });
      return streams.send(request, reply, async (context) => {
        const { endpoint, ...loaded } = await loadEndpoint(deps, by, { id, test });
        return liveEndpoint(context, {
          ...loaded,
          region,
          endpoint: endpoint ?? (await webhooks.endpoint(by, id)),
        });
      });
    },
  );
}
