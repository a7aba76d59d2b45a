import { pathId } from '@frontdesk/contracts';
import type { App } from '@frontdesk/service';
import { zoneOf } from '../../domain/dates.ts';
import { loadSource } from '../../use-cases/load-calls.ts';
import { orNull } from '../../use-cases/or-null.ts';
import { messageProgress } from '../../views/calls/call-message.view.ts';
import { sourceMessages } from '../../views/calls/call-source.view.ts';
import type { AreaDeps } from '../shared/area-deps.ts';
import { LIVE_ROUTE } from '../shared/live-streams.ts';
import { SOURCE } from './call-sources.routes.ts';

const route = { ...LIVE_ROUTE, schema: { params: pathId } };

/** A source and a message as server-sent events: what comes in, and what it leads to. */
export function liveCallsRoutes(app: App, deps: AreaDeps): void {
  const { gateway, calls, streams } = deps;

  app.get(`${SOURCE}/live`, route, async (request, reply) => {
    const {
      tenantId,
      params: { id },
    } = request;
    await calls.source(tenantId, id);
    return streams.send(request, reply, async () =>
      sourceMessages(await loadSource(deps, tenantId, { id, hasSent: false })).toString(),
    );
  });

  app.get('/settings/calls/messages/:id/live', route, async (request, reply) => {
    const {
      tenantId,
      params: { id },
    } = request;
    const { source_id } = await calls.messageSummary(tenantId, id);
    const [sources, tenant] = await Promise.all([
      orNull(calls.sources(tenantId)),
      orNull(gateway.tenant(tenantId)),
    ]);
    const sourceName = sources?.find((source) => source.id === source_id)?.name ?? null;
    const zone = zoneOf({ tenant });
    return streams.send(request, reply, async (context) =>
      messageProgress(context, {
        message: await calls.messageSummary(tenantId, id),
        ...{ sourceName, zone },
      }).toString(),
    );
  });
}
