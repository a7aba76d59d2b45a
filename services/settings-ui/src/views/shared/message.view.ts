import { html, type Renderable } from './html.ts';
import { layout } from './layout.ts';
import type { PageContext } from './page-context.ts';

/** A page that says one thing, and where to go on. */
export const messagePage = (
  context: PageContext,
  { title, text, requestId }: { title: string; text: Renderable; requestId?: string },
): string =>
  layout(context, {
    title,
    body: html`<div class="card stack"><p>${text}</p>
${requestId && html`<p class="hint">If you contact support, quote this request: <code>${requestId}</code></p>`}
<p><a href="/settings">Go to the overview</a></p></div>`,
  });
