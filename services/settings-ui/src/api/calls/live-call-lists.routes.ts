import type { App } from '@frontdesk/service';
import { CALLS, MISSED } from '../../domain/calls/call-addresses.ts';
import { regionOf } from '../../domain/shared/region.ts';
import { createSharedReads } from '../../state/shared-reads.ts';
import {
  findNamedCallBacks,
  findNamedCalls,
  type NamedCallBacks,
  type NamedCalls,
} from '../../use-cases/load-calls.ts';
import { orNull } from '../../use-cases/or-null.ts';
import { callList } from '../../views/calls/calls.view.ts';
import { callBackCards } from '../../views/calls/missed-calls.view.ts';
import type { PageContext } from '../../views/shared/page-context.ts';
import type { AreaDeps } from '../shared/area-deps.ts';
import { LIVE_ROUTE, READ_EVERY_MS } from '../shared/live-streams.ts';

/**
 * The newest calls and the missed ones as server-sent events. However many browsers follow them, calls is asked once a second; each
 * stream reads its business's region and sources once.
 */
export function liveCallListRoutes(app: App, deps: AreaDeps): void {
  const { gateway, calls, streams } = deps;
  const newest = createSharedReads<NamedCalls>({ everyMs: READ_EVERY_MS });
  const missed = createSharedReads<NamedCallBacks>({ everyMs: READ_EVERY_MS });

  app.get(`${CALLS}/live`, LIVE_ROUTE, async (request, reply) => {
    const { tenantId } = request;
    const key = String(tenantId);
    const [tenant, sources] = await Promise.all([gateway.tenant(tenantId), orNull(calls.sources(tenantId))]);
    const region = regionOf({ tenant });
    const markup = async () => {
      const found = await newest.get(key, () => findNamedCalls(deps, tenantId, {}));
      return callList({ ...found, region, sources, filter: {} }).toString();
    };
    return streams.send(request, reply, markup, { pauseMs: () => newest.freshForMs(key) });
  });

  app.get(`${MISSED}/live`, LIVE_ROUTE, async (request, reply) => {
    const { tenantId } = request;
    const key = String(tenantId);
    const region = regionOf({ tenant: await gateway.tenant(tenantId) });
    const markup = async (context: PageContext) => {
      const found = await missed.get(key, () => findNamedCallBacks(deps, tenantId));
      return callBackCards(context, { ...found, region }).toString();
    };
    return streams.send(request, reply, markup, { pauseMs: () => missed.freshForMs(key) });
  });
}
