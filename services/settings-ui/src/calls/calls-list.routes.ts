import { callBacksSchema, callListAdminEntry, dataOf, pageOf } from '@frontdesk/contracts';
import { type App, ok, page } from '@frontdesk/service';
import type { AreaDeps } from '../area-deps.ts';
import { CALLS, MISSED } from '../records/addresses.rules.ts';
import { wantsJson } from '../ui/accept.ts';
import { SHOWN_CALL_BACKS } from './call-backs.rules.ts';
import { CALLS_PER_PAGE, callFilter, callsAddress, deskFilter } from './call-filter.rules.ts';
import { callsPage } from './calls.view.ts';
import { findCalls, loadCallBacks, loadCalls } from './load-calls.ts';
import { missedCallsPage } from './missed-calls.view.ts';

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
      const { session: by } = request;
      const filter = callFilter.parse(request.query);
      if (wantsJson(request)) {
        const { rows, total } = await findCalls(deps, by, filter);
        return page(rows, { page: Number(filter.page ?? 1), per_page: CALLS_PER_PAGE, total });
      }
      const shown = deskFilter(filter);
      const { mergedInto, ...loaded } = await loadCalls(deps, by, shown);
      if (mergedInto !== null)
        return reply.redirect(callsAddress({ ...shown, customer_id: String(mergedInto) }), 303);
      return pages.send(reply, callsPage(pages.context(request), { ...loaded, filter: shown }));
    },
  );

  app.get(MISSED, { schema: { response: { 200: dataOf(callBacksSchema) } } }, async (request, reply) => {
    const { session: by } = request;
    if (wantsJson(request)) return ok(await deps.calls.callBacks(by, SHOWN_CALL_BACKS));
    const loaded = await loadCallBacks(deps, by);
    return pages.send(reply, missedCallsPage(pages.context(request), loaded));
  });
}
