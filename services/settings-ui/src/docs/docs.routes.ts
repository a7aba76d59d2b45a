import { createPages, type Page, SHOWN_RECORDS, START } from '@frontdesk/reference';
import { type App, AppError } from '@frontdesk/service';
import { z } from 'zod';
import type { AreaDeps } from '../area-deps.ts';
import type { By } from '../session/session.rules.ts';
import type { Html } from '../ui/html.ts';
import { mayUse } from '../ui/page-scopes.rules.ts';
import { DOCS, docsBody, docsPage } from './docs.view.ts';
import { loadExamples } from './load-examples.ts';

/** The documentation for integrators, with what is the tenant's own in its examples. */
export function docsRoutes(app: App, deps: AreaDeps): void {
  const { pages, publicUrl: url } = deps;
  const all = createPages();
  const byPath = new Map(all.map((page) => [page.path, page]));
  /** Pages that are the same for every business, by who may open what they lead to. */
  const shared = new Map<string, Html>();

  async function bodyOf(page: Page, by: By): Promise<Html> {
    const mayOpen = (address: string) => mayUse(by, 'GET', address);
    if (page.isPersonal) {
      const { records, keyName } = await loadExamples(deps, by);
      return docsBody(all, page, { url, records, settings: { keyName, mayOpen } });
    }
    const settings = { keyName: undefined, mayOpen };
    return shared.getOrInsertComputed(`${page.path} ${by.scopes.join()}`, () =>
      docsBody(all, page, { url, records: SHOWN_RECORDS, settings }),
    );
  }

  for (const route of [DOCS, `${DOCS}/*`])
    app.get(
      route,
      { schema: { params: z.object({ '*': z.string().default(START) }) } },
      async (request, reply) => {
        const page = byPath.get(request.params['*']);
        if (!page) throw new AppError('not_found', 'Not found.');
        return pages.send(reply, docsPage(pages.context(request), page, await bodyOf(page, request.session)));
      },
    );
}
