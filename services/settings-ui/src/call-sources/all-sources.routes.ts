import { pathId } from '@frontdesk/contracts';
import type { App } from '@frontdesk/service';
import type { AreaDeps } from '../area-deps.ts';
import { LIVE_ROUTE } from '../live/live-streams.ts';
import { messageProgress } from './call-message.view.ts';
import { callMessageRoutes } from './call-messages.routes.ts';
import { sourceMessages } from './call-source.view.ts';
import { callSourceActionRoutes } from './call-source-actions.routes.ts';
import { callSourceRoutes, SOURCE } from './call-sources.routes.ts';
import { createCallSourcesPage } from './call-sources-page.ts';
import { loadMessageSource, loadSource } from './load-call-sources.ts';

/** Where calls come from, and what has come in. */
export function sourcesRoutes(app: App, deps: AreaDeps): void {
  const page = createCallSourcesPage(deps);
  callSourceRoutes(app, { ...deps, page });
  callSourceActionRoutes(app, { ...deps, page });
  callMessageRoutes(app, deps);
  liveCallsRoutes(app, deps);
}

const route = { ...LIVE_ROUTE, schema: { params: pathId } };

/** A source and a message as server-sent events: what comes in, and what it leads to. */
function liveCallsRoutes(app: App, deps: AreaDeps): void {
  const { calls, streams } = deps;

  app.get(`${SOURCE}/live`, route, async (request, reply) => {
    const { session: by } = request;
    const { id } = request.params;
    await calls.source(by, id);
    return streams.send(request, reply, async () =>
      sourceMessages(await loadSource(deps, by, { id, hasSent: false })).toString(),
    );
  });

  app.get('/settings/calls/messages/:id/live', route, async (request, reply) => {
    const { session: by } = request;
    const { id } = request.params;
    const { source_id } = await calls.messageSummary(by, id);
    const shown = await loadMessageSource(deps, by, source_id);
    return streams.send(request, reply, async (context) =>
      messageProgress(context, { message: await calls.messageSummary(by, id), ...shown }).toString(),
    );
  });
}
