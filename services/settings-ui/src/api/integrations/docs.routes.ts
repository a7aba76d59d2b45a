import type { App } from '@frontdesk/service';
import { type ExamplesClients, loadExamples } from '../../use-cases/load-examples.ts';
import { createDocsPage } from '../../views/integrations/docs/docs.view.ts';
import type { Pages } from '../shared/pages.ts';

export interface DocsRoutesDeps extends ExamplesClients {
  pages: Pages;
  publicUrl: string;
}

/** The documentation of API v1 and of the events, with what is the tenant's own in its examples. */
export function docsRoutes(app: App, { pages, publicUrl, ...clients }: DocsRoutesDeps): void {
  const page = createDocsPage(publicUrl);

  app.get('/settings/api/docs', async (request, reply) => {
    const examples = await loadExamples(clients, request.tenantId);
    return pages.send(reply, page(pages.context(request), examples));
  });
}
