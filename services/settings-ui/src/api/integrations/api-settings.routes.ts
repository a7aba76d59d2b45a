import { apiSettings, dataOf } from '@frontdesk/contracts';
import { type App, AppError, ok } from '@frontdesk/service';
import { deliveryFilter } from '../../domain/integrations/delivery-filter.ts';
import { loadApiSettings } from '../../use-cases/load-api-settings.ts';
import { wantsJson } from '../shared/accept.ts';
import type { AreaDeps } from '../shared/area-deps.ts';
import type { ApiPage } from './api-page.ts';

/** As many as the JSON form lists. */
const DELIVERIES = 50;

export function apiSettingsRoutes(app: App, { page, ...deps }: AreaDeps & { page: ApiPage }): void {
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
      const { keys, usage, endpoints, deliveries } = await loadApiSettings(deps, request.tenantId, log);
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
