import { navigationOf, type Page, type Reader, renderHtml } from '@frontdesk/reference';
import { linkTo } from '../ui/controls.view.ts';
import { type Html, html, renderedPage } from '../ui/html.ts';
import { layout } from '../ui/layout.view.ts';
import type { PageContext } from '../ui/page-context.ts';

export const DOCS = '/settings/api/docs';

/** The text of a page of the documentation, beside the list of all pages. */
export function docsBody(pages: readonly Page[], page: Page, reader: Reader): Html {
  const { html: text, headings } = renderHtml(page.markdown(reader), { path: page.path, base: DOCS });
  const navigation = navigationOf(pages, { path: page.path, headings, base: DOCS });
  return html`<div class="docs">${renderedPage(navigation)}<div class="card docs-text">
${renderedPage(text)}</div></div>`;
}

export const docsPage = (context: PageContext, { title }: Page, body: Html): string =>
  layout(context, {
    title,
    at: DOCS,
    lead: linkTo(context, '/settings/api', 'Back to API and webhooks'),
    body,
  });
