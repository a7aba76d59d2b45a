import { pathId } from '@frontdesk/contracts';
import type { App } from '@frontdesk/service';
import type { AreaDeps } from '../area-deps.ts';
import { LIVE_ROUTE } from '../live/live-streams.ts';
import { deliveryProgress } from './delivery.view.ts';
import { loadDelivery } from './load-delivery.ts';

/** One delivery as server-sent events: how it goes. It is read whole only where its summary has changed. */
export function liveDeliveryRoutes(app: App, deps: AreaDeps): void {
  const { webhooks, streams } = deps;
  app.get(
    '/settings/api/deliveries/:id/live',
    { ...LIVE_ROUTE, schema: { params: pathId } },
    async (request, reply) => {
      const { session: by, params } = request;
      await webhooks.deliverySummary(by, params.id);
      let [seen, markup] = ['', ''];
      return streams.send(request, reply, async (context) => {
        const now = JSON.stringify(await webhooks.deliverySummary(by, params.id));
        if (now !== seen)
          markup = deliveryProgress(context, await loadDelivery(deps, by, params.id)).toString();
        seen = now;
        return markup;
      });
    },
  );
}
