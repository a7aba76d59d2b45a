import { dataOf, statisticsSchema } from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import type { AreaDeps } from '../area-deps.ts';
import { wantsJson } from '../ui/accept.ts';
import { STATISTICS } from '../ui/navigation.rules.ts';
import { loadStatistics } from './load-statistics.ts';
import { statisticsPage } from './statistics.view.ts';

export function statisticsRoutes(app: App, deps: AreaDeps): void {
  app.get(
    STATISTICS,
    { config: { isExpensive: true }, schema: { response: { 200: dataOf(statisticsSchema) } } },
    async (request, reply) => {
      const statistics = await loadStatistics(deps, request.session);
      if (wantsJson(request)) return ok(statistics);
      return deps.pages.send(reply, statisticsPage(deps.pages.context(request), statistics));
    },
  );
}
