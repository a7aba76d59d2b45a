import { html, type Renderable } from './html.ts';
import { layout } from './layout.view.ts';
import type { PageContext } from './page-context.ts';
import { visibleText } from './visible-text.ts';

/** A page that says one thing, and where to go on. */
export const messagePage = (
  context: PageContext,
  { title, text, requestId }: { title: string; text: Renderable; requestId?: string },
): string =>
  layout(context, {
    title,
    body: html`<div class="card stack"><p>${text}</p>
${requestId && html`<p class="hint">If you contact support, quote this request: <code>${requestId}</code></p>`}
<p><a href="/settings">Go to Today</a></p></div>`,
  });

/** Says what of an address can't be read, in place of a page that somebody didn't ask for. */
export const wrongAddressPage = (
  context: PageContext,
  { parts, link }: { parts: string[]; link: { href: string; name: string } },
): string =>
  layout(context, {
    title: 'This address is not valid',
    body: html`<div class="card stack">
<p>This part of the address can’t be read: <code>${visibleText(parts.join(' '))}</code></p>
<p><a class="button" href="${link.href}">${link.name}</a></p></div>`,
  });
