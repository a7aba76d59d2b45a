import { dataOf, overviewSchema } from '@frontdesk/contracts';
import { type App, inTenantQueue, ok } from '@frontdesk/service';
import type { AreaDeps } from '../area-deps.ts';
import { eventOf, LIVE_ROUTE, READ_EVERY_MS } from '../live/live-streams.ts';
import { createSharedReads } from '../live/shared-reads.cache.ts';
import { wantsJson } from '../ui/accept.ts';
import { TODAY } from '../ui/navigation.rules.ts';
import { gatherOverview } from './gather-overview.ts';
import { type FollowedToday, followToday } from './load-today.ts';
import { todayBody } from './today.view.ts';
import type { TodayPage } from './today-page.ts';

/**
 * Today, and its changes as server-sent events: however many browsers of a business follow it, its services are asked
 * once a second at most, one business after the other.
 */
export function todayRoutes(app: App, deps: AreaDeps & { page: TodayPage }): void {
  app.get(
    TODAY,
    { config: { isExpensive: true }, schema: { response: { 200: dataOf(overviewSchema) } } },
    async (request, reply) =>
      wantsJson(request) ? ok(await gatherOverview(deps, request.session)) : deps.page(request, reply),
  );

  const reads = createSharedReads<FollowedToday>({ everyMs: READ_EVERY_MS });
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());

  app.get(`${TODAY}/live`, LIVE_ROUTE, async (request, reply) => {
    const { session: by } = request;
    // Members with other scopes get another drawing.
    const key = `${by.tenantId} ${by.scopes.join()}`;
    // The page was just shown: nothing older may come back.
    const notBeforeMs = performance.now();
    const readOn = (before: FollowedToday | undefined) =>
      inTenantQueue(by.tenantId, closing.signal, () => followToday(deps, by, before));
    const event = async () => {
      const context = deps.pages.context(request);
      const followed = await reads.get(key, readOn, { notBeforeMs });
      return followed.drawn.getOrInsertComputed(context.isSuspended, () =>
        eventOf(todayBody(context, followed).toString()),
      );
    };
    return deps.streams.send(request, reply, event, { pauseMs: () => reads.freshForMs(key) });
  });
}
