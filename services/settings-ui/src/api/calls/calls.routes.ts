import type { App } from '@frontdesk/service';
import type { AreaDeps } from '../shared/area-deps.ts';
import { callMessageRoutes } from './call-messages.routes.ts';
import { callSourceActionRoutes } from './call-source-actions.routes.ts';
import { callSourceRoutes } from './call-sources.routes.ts';
import { createCallsPage } from './calls-page.ts';
import { liveCallsRoutes } from './live-calls.routes.ts';

/** Where calls come from, and what has come in. */
export function callsRoutes(app: App, deps: AreaDeps): void {
  const page = createCallsPage(deps);
  callSourceRoutes(app, { ...deps, page });
  callSourceActionRoutes(app, { ...deps, page });
  callMessageRoutes(app, deps);
  liveCallsRoutes(app, deps);
}
