import type { App } from '@frontdesk/service';
import { deliveryFilter, logQuery } from '../../domain/integrations/delivery-filter.ts';
import { regionOf } from '../../domain/shared/region.ts';
import { readLog } from '../../use-cases/load-api-settings.ts';
import { orNull } from '../../use-cases/or-null.ts';
import { DELIVERIES_PER_PAGE, deliveryList } from '../../views/integrations/delivery-log.view.ts';
import { endpointItems } from '../../views/integrations/endpoints.view.ts';
import type { AreaDeps } from '../shared/area-deps.ts';
import { LIVE_ROUTE } from '../shared/live-streams.ts';

/** The delivery log and the endpoints as server-sent events: their markup, whenever that has changed. */
export function liveDeliveriesRoutes(app: App, { gateway, webhooks, streams }: AreaDeps): void {
  app.get(
    '/settings/api/deliveries/live',
    { ...LIVE_ROUTE, schema: { querystring: deliveryFilter } },
    async (request, reply) => {
      const { tenantId, query: filter } = request;
      const region = regionOf({ tenant: await orNull(gateway.tenant(tenantId)) });
      return streams.send(request, reply, async (context) => {
        const [deliveries, endpoints] = await Promise.all([
          readLog(webhooks.deliverySummaries, tenantId, logQuery(filter, region.zone, DELIVERIES_PER_PAGE)),
          orNull(webhooks.endpoints(tenantId)),
        ]);
        return {
          'delivery-list': deliveryList({ deliveries, endpoints, filter, region }).toString(),
          ...endpointItems(context, endpoints ?? [], region),
        };
      });
    },
  );
}
