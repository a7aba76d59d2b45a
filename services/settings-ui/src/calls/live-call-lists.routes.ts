import type { App } from '@frontdesk/service';
import type { AreaDeps } from '../area-deps.ts';
import { orNull } from '../clients/or-null.ts';
import { LIVE_ROUTE, READ_EVERY_MS } from '../live/live-streams.ts';
import { createSharedReads } from '../live/shared-reads.cache.ts';
import { CALLS, MISSED } from '../records/addresses.rules.ts';
import { regionOf } from '../region/region.rules.ts';
import type { PageContext } from '../ui/page-context.ts';
import { ifAllowed } from '../ui/page-scopes.rules.ts';
import { callList } from './calls.view.ts';
import { findNamedCallBacks, findNamedCalls, type NamedCallBacks, type NamedCalls } from './load-calls.ts';
import { callBackCards } from './missed-calls.view.ts';

/**
 * The newest calls and the missed ones as server-sent events. However many browsers follow them, calls is asked once a
 * second, and when one begins to follow: it has just been shown the page, and nothing older than that may come back.
 * Each stream reads its business's region and sources once.
 */
export function liveCallListRoutes(app: App, deps: AreaDeps): void {
  const { gateway, calls, streams } = deps;
  const newest = createSharedReads<NamedCalls>({ everyMs: READ_EVERY_MS });
  const missed = createSharedReads<NamedCallBacks>({ everyMs: READ_EVERY_MS });

  app.get(`${CALLS}/live`, LIVE_ROUTE, async (request, reply) => {
    const { session: by } = request;
    const key = `${by.tenantId} ${by.scopes.join()}`;
    const asOf = { notBeforeMs: performance.now() };
    const [tenant, sources] = await Promise.all([
      gateway.tenant(by),
      ifAllowed(by, 'settings:sources', () => orNull(calls.sources(by))),
    ]);
    const region = regionOf({ tenant });
    const markup = async () => {
      const found = await newest.get(key, () => findNamedCalls(deps, by, {}), asOf);
      return callList({ ...found, region, sources, filter: {} }).toString();
    };
    return streams.send(request, reply, markup, { pauseMs: () => newest.freshForMs(key) });
  });

  app.get(`${MISSED}/live`, LIVE_ROUTE, async (request, reply) => {
    const { session: by } = request;
    const key = `${by.tenantId} ${by.scopes.join()}`;
    const asOf = { notBeforeMs: performance.now() };
    const region = regionOf({ tenant: await gateway.tenant(by) });
    const markup = async (context: PageContext) => {
      const found = await missed.get(key, () => findNamedCallBacks(deps, by), asOf);
      return callBackCards(context, { ...found, region }).toString();
    };
    return streams.send(request, reply, markup, { pauseMs: () => missed.freshForMs(key) });
  });
}
