import { type Page, SECTIONS } from '../page.ts';
import { pageAddress } from './links.ts';
import { escapeHtml, type RenderedPage } from './render-html.ts';

/**
 * Links to all pages, and to the sections of the one that is shown, as HTML. The pages of errors are listed on a
 * page of their own.
 */
export function navigationOf(
  pages: readonly Page[],
  shown: { path: string | null; headings: RenderedPage['headings']; base: string },
): string {
  const sections = SECTIONS.filter((section) => section !== 'Errors').map((section) => {
    const links = pages.filter((page) => page.section === section).map((page) => pageItem(page, shown));
    return `<h2>${section}</h2><ul>${links.join('\n')}</ul>`;
  });
  return `<nav class="contents card" aria-label="Documentation" tabindex="0"><details><summary>All pages</summary>
${sections.join('\n')}</details></nav>`;
}

function pageItem({ path, title }: Page, shown: Parameters<typeof navigationOf>[1]): string {
  const address = escapeHtml(pageAddress(shown.base, path));
  if (path !== shown.path) return `<li><a href="${address}">${escapeHtml(title)}</a></li>`;
  const inside = shown.headings.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`);
  return `<li><a href="${address}" aria-current="page">${escapeHtml(title)}</a>${
    inside.length > 1 ? `<ul>${inside.join('')}</ul>` : ''
  }</li>`;
}
