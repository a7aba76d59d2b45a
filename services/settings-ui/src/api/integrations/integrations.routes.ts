import type { App } from '@frontdesk/service';
import type { Clients } from '../../clients/clients.ts';
import type { Changes } from '../shared/changes.ts';
import type { LiveStreams } from '../shared/live-streams.ts';
import type { Pages } from '../shared/pages.ts';
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

interface IntegrationsDeps
  extends Pick<Clients, 'gateway' | 'webhooks' | 'replays' | 'scheduling' | 'examples'> {
  changes: Changes;
  pages: Pages;
  streams: LiveStreams;
  publicUrl: string;
}

/** How programs work with the business: keys, webhooks and what became of each delivery, the documentation. */
export function integrationsRoutes(app: App, deps: IntegrationsDeps): void {
  const page = createApiPage(deps);
  apiSettingsRoutes(app, { clients: deps, page });
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
