import type { App } from '@frontdesk/service';
import type { AreaDeps } from '../shared/area-deps.ts';
import { createApiPage } from './api-page.ts';
import { apiSettingsRoutes } from './api-settings.routes.ts';
import { deliveryRoutes } from './deliveries.routes.ts';
import { docsRoutes } from './docs.routes.ts';
import { endpointRoutes } from './endpoint.routes.ts';
import { createEndpointPage } from './endpoint-page.ts';
import { keyRoutes } from './keys.routes.ts';
import { liveDeliveriesRoutes } from './live-deliveries.routes.ts';
import { liveDeliveryRoutes } from './live-delivery.routes.ts';
import { liveEndpointRoutes } from './live-endpoint.routes.ts';
import { replayRoutes } from './replays.routes.ts';
import { webhookActionRoutes } from './webhook-actions.routes.ts';
import { webhookRoutes } from './webhooks.routes.ts';

/** How programs work with the business: keys, webhooks and what became of each delivery, the documentation. */
export function integrationsRoutes(app: App, deps: AreaDeps): void {
  const page = createApiPage(deps);
  apiSettingsRoutes(app, { ...deps, page });
  keyRoutes(app, { ...deps, page });
  webhookRoutes(app, { ...deps, page });
  deliveryRoutes(app, deps);
  liveDeliveriesRoutes(app, deps);
  liveDeliveryRoutes(app, deps);
  const endpointPage = createEndpointPage(deps);
  liveEndpointRoutes(app, deps);
  webhookActionRoutes(app, { ...deps, page, endpointPage });
  endpointRoutes(app, { ...deps, page: endpointPage });
  replayRoutes(app, { ...deps, page: endpointPage });
  docsRoutes(app, deps);
}
