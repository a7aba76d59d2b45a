import { callBacksSchema, callListAdminEntry, dataOf, pageOf } from '@frontdesk/contracts';
import { type App, ok, page } from '@frontdesk/service';
import { CALLS, MISSED } from '../../domain/calls/call-addresses.ts';
import { SHOWN_CALL_BACKS } from '../../domain/calls/call-backs.ts';
import { CALLS_PER_PAGE, callFilter } from '../../domain/calls/call-filter.ts';
import { findCalls, loadCallBacks, loadCalls } from '../../use-cases/load-calls.ts';
import { callsPage } from '../../views/calls/calls.view.ts';
import { missedCallsPage } from '../../views/calls/missed-calls.view.ts';
import { wantsJson } from '../shared/accept.ts';
import type { AreaDeps } from '../shared/area-deps.ts';

/** The calls that came in, and the missed ones that somebody has to call back. */
export function callListRoutes(app: App, deps: AreaDeps): void {
  const { pages } = deps;

  app.get(
    CALLS,
    {
      config: { withoutQuery: 'Show all calls' },
      schema: { querystring: callFilter.loose(), response: { 200: pageOf(callListAdminEntry) } },
    },
    async (request, reply) => {
      const { tenantId } = request;
      const filter = callFilter.parse(request.query);
      if (wantsJson(request)) {
        const { rows, total } = await findCalls(deps, tenantId, filter);
        return page(rows, { page: Number(filter.page ?? 1), per_page: CALLS_PER_PAGE, total });
      }
      const loaded = await loadCalls(deps, tenantId, filter);
      return pages.send(reply, callsPage(pages.context(request), { ...loaded, filter }));
    },
  );

  app.get(MISSED, { schema: { response: { 200: dataOf(callBacksSchema) } } }, async (request, reply) => {
    const { tenantId } = request;
    if (wantsJson(request)) return ok(await deps.calls.callBacks(tenantId, SHOWN_CALL_BACKS));
    const loaded = await loadCallBacks(deps, tenantId);
    return pages.send(reply, missedCallsPage(pages.context(request), loaded));
  });
}
