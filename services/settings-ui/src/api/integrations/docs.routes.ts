import type { App } from '@frontdesk/service';
import { loadExamples } from '../../use-cases/load-examples.ts';
import { createDocsPage } from '../../views/integrations/docs/docs.view.ts';
import type { AreaDeps } from '../shared/area-deps.ts';

/** The documentation of API v1 and of the events, with what is the tenant's own in its examples. */
export function docsRoutes(app: App, deps: AreaDeps): void {
  const { pages, publicUrl } = deps;
  const page = createDocsPage(publicUrl);

  app.get('/settings/api/docs', async (request, reply) => {
    const examples = await loadExamples(deps, request.tenantId);
    return pages.send(reply, page(pages.context(request), examples));
  });
}
