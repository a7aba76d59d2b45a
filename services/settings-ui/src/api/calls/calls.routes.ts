import type { App } from '@frontdesk/service';
import type { Clients } from '../../clients/clients.ts';
import type { Changes } from '../shared/changes.ts';
import type { LiveStreams } from '../shared/live-streams.ts';
import type { Pages } from '../shared/pages.ts';
import { callMessageRoutes } from './call-messages.routes.ts';
import { callSourceActionRoutes } from './call-source-actions.routes.ts';
import { callSourceRoutes } from './call-sources.routes.ts';
import { createCallsPage } from './calls-page.ts';
import { liveCallsRoutes } from './live-calls.routes.ts';

interface CallsDeps extends Pick<Clients, 'gateway' | 'calls' | 'appointments'> {
  changes: Changes;
  pages: Pages;
  streams: LiveStreams;
}

/** Where calls come from, and what has come in. */
export function callsRoutes(app: App, deps: CallsDeps): void {
  const page = createCallsPage(deps);
  callSourceRoutes(app, { ...deps, page });
  callSourceActionRoutes(app, { ...deps, page, customers: deps.appointments });
  callMessageRoutes(app, deps);
  liveCallsRoutes(app, deps);
}
