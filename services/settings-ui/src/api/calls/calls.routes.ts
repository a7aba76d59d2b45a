import type { App } from '@frontdesk/service';
import type { AreaDeps } from '../shared/area-deps.ts';
import { callRoutes } from './call.routes.ts';
import { callMessageRoutes } from './call-messages.routes.ts';
import { callSourceActionRoutes } from './call-source-actions.routes.ts';
import { callSourceRoutes } from './call-sources.routes.ts';
import { createCallSourcesPage } from './call-sources-page.ts';
import { callListRoutes } from './calls-list.routes.ts';
import { liveCallListRoutes } from './live-call-lists.routes.ts';
import { liveCallsRoutes } from './live-calls.routes.ts';

/** Calls, where they come from, and what has come in. */
export function callsRoutes(app: App, deps: AreaDeps): void {
  const page = createCallSourcesPage(deps);
  callListRoutes(app, deps);
  callRoutes(app, deps);
  callSourceRoutes(app, { ...deps, page });
  callSourceActionRoutes(app, { ...deps, page });
  callMessageRoutes(app, deps);
  liveCallListRoutes(app, deps);
  liveCallsRoutes(app, deps);
}
