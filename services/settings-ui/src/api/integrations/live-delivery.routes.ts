import { pathId } from '@frontdesk/contracts';
import type { App } from '@frontdesk/service';
import { loadDelivery } from '../../use-cases/load-delivery.ts';
import { deliveryProgress } from '../../views/integrations/delivery.view.ts';
import type { AreaDeps } from '../shared/area-deps.ts';
import { LIVE_ROUTE } from '../shared/live-streams.ts';

/** One delivery as server-sent events: how it goes. It is read whole only where its summary has changed. */
export function liveDeliveryRoutes(app: App, deps: AreaDeps): void {
  const { webhooks, streams } = deps;
  app.get(
    '/settings/api/deliveries/:id/live',
    { ...LIVE_ROUTE, schema: { params: pathId } },
    async (request, reply) => {
      const { tenantId, params } = request;
      await webhooks.deliverySummary(tenantId, params.id);
      let [seen, markup] = ['', ''];
      return streams.send(request, reply, async (context) => {
        const now = JSON.stringify(await webhooks.deliverySummary(tenantId, params.id));
        if (now !== seen)
          markup = deliveryProgress(context, await loadDelivery(deps, tenantId, params.id)).toString();
        seen = now;
        return markup;
      });
    },
  );
}
