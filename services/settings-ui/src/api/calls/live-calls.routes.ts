import { pathId } from '@frontdesk/contracts';
import type { App } from '@frontdesk/service';
import { loadMessageSource, loadSource } from '../../use-cases/load-call-sources.ts';
import { messageProgress } from '../../views/calls/call-message.view.ts';
import { sourceMessages } from '../../views/calls/call-source.view.ts';
import type { AreaDeps } from '../shared/area-deps.ts';
import { LIVE_ROUTE } from '../shared/live-streams.ts';
import { SOURCE } from './call-sources.routes.ts';

const route = { ...LIVE_ROUTE, schema: { params: pathId } };

/** A source and a message as server-sent events: what comes in, and what it leads to. */
export function liveCallsRoutes(app: App, deps: AreaDeps): void {
  const { calls, streams } = deps;

  app.get(`${SOURCE}/live`, route, async (request, reply) => {
    const { tenantId } = request;
    const { id } = request.params;
    await calls.source(tenantId, id);
    return streams.send(request, reply, async () =>
      sourceMessages(await loadSource(deps, tenantId, { id, hasSent: false })).toString(),
    );
  });

  app.get('/settings/calls/messages/:id/live', route, async (request, reply) => {
    const { tenantId } = request;
    const { id } = request.params;
    const { source_id } = await calls.messageSummary(tenantId, id);
    const shown = await loadMessageSource(deps, tenantId, source_id);
    return streams.send(request, reply, async (context) =>
      messageProgress(context, { message: await calls.messageSummary(tenantId, id), ...shown }).toString(),
    );
  });
}
