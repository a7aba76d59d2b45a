import { apiSettings, dataOf } from '@frontdesk/contracts';
import { type App, AppError, ok } from '@frontdesk/service';
import type { AreaDeps } from '../area-deps.ts';
import { orNull } from '../clients/or-null.ts';
import { DELIVERIES_PER_PAGE, deliveryList } from '../deliveries/delivery-log.view.ts';
import { endpointItems } from '../endpoints/endpoints.view.ts';
import { LIVE_ROUTE } from '../live/live-streams.ts';
import { deliveryFilter, logQuery } from '../records/delivery-filter.rules.ts';
import { regionOf } from '../region/region.rules.ts';
import { wantsJson } from '../ui/accept.ts';
import type { ApiPage } from './api-page.ts';
import { singleKeyRoutes } from './key.routes.ts';
import { keyRoutes } from './keys.routes.ts';
import { loadApiPage, readLog } from './load-api-page.ts';

/** The page of all that programs work with: keys, endpoints, deliveries. */
export function integrationsRoutes(app: App, deps: AreaDeps & { page: ApiPage }): void {
  apiSettingsRoutes(app, deps);
  keyRoutes(app, deps);
  singleKeyRoutes(app, deps);
  liveDeliveriesRoutes(app, deps);
}

/** The delivery log and the endpoints as server-sent events: their markup, whenever that has changed. */
function liveDeliveriesRoutes(app: App, { gateway, webhooks, streams }: AreaDeps): void {
  app.get(
    '/settings/api/deliveries/live',
    { ...LIVE_ROUTE, schema: { querystring: deliveryFilter } },
    async (request, reply) => {
      const { session: by, query: filter } = request;
      const region = regionOf({ tenant: await orNull(gateway.tenant(by)) });
      return streams.send(request, reply, async (context) => {
        const [deliveries, endpoints] = await Promise.all([
          readLog(webhooks.deliverySummaries, by, logQuery(filter, region.zone, DELIVERIES_PER_PAGE)),
          orNull(webhooks.endpoints(by)),
        ]);
        return {
          'delivery-list': deliveryList({ deliveries, endpoints, filter, region }).toString(),
          ...endpointItems(context, endpoints ?? [], region),
        };
      });
    },
  );
}

/** As many as the JSON form lists. */
const DELIVERIES = 50;

function apiSettingsRoutes(app: App, { page, ...deps }: AreaDeps & { page: ApiPage }): void {
  app.get(
    '/settings/api',
    {
      config: { withoutQuery: 'Show all deliveries' },
      schema: { querystring: deliveryFilter.loose(), response: { 200: dataOf(apiSettings) } },
    },
    async (request, reply) => {
      const filter = deliveryFilter.parse(request.query);
      if (!wantsJson(request)) return page.show(request, reply, { filter });
      const log = { filter, perPage: DELIVERIES, list: deps.webhooks.deliveries };
      const { keys, usage, endpoints, deliveries } = await loadApiPage(deps, request.session, log);
      // Half a list could be taken for all there is; people see which half is missing, programs don't.
      if (!keys || !usage || !endpoints || !deliveries) throw incomplete();
      return ok({ keys, webhooks: endpoints, deliveries, usage });
    },
  );
}

const incomplete = () =>
  new AppError('service_unavailable', 'A part of the system is not available. Please try again.', {
    headers: { 'retry-after': '1' },
  });
