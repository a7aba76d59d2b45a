import { dataOf, overviewSchema } from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import { gatherOverview } from '../../use-cases/gather-overview.ts';
import { overviewPage } from '../../views/overview/overview.view.ts';
import { wantsJson } from '../shared/accept.ts';
import type { AreaDeps } from '../shared/area-deps.ts';

export function overviewRoutes(app: App, deps: AreaDeps): void {
  app.get(
    '/settings',
    { config: { isExpensive: true }, schema: { response: { 200: dataOf(overviewSchema) } } },
    async (request, reply) => {
      const overview = await gatherOverview(deps, request.tenantId);
      if (wantsJson(request)) return ok(overview);
      return deps.pages.send(reply, overviewPage(deps.pages.context(request), overview, Date.now()));
    },
  );
}
