import { type Html, html } from './html.ts';

interface Link {
  href: string;
  name: string;
}

interface Pager {
  /** What is listed, in several. */
  of: string;
  back: Link | false;
  on: Link | false;
  /** Which of them are shown. */
  words?: string;
}

/** The links to the other pages of a list; nothing where there are none, and nothing to say. */
export const pager = ({ of, back, on, words }: Pager): Html | false =>
  (back || on || words !== undefined) &&
  html`<nav class="pager" aria-label="Pages of ${of}">${words !== undefined && html`<p class="hint">${words}</p>`}
<p class="actions">${[back, on].map(
    (link) => link && html`<a class="button" href="${link.href}">${link.name}</a>`,
  )}</p></nav>`;

interface NumberedPager extends Omit<Pager, 'back' | 'on'> {
  /** The page that is shown, as the address has it. */
  page: string | undefined;
  goesOn: boolean;
  /** The address of a page; undefined is the first. */
  hrefOf: (page: string | undefined) => string;
  names?: { back: string; on: string };
}

const LATEST_FIRST = { back: 'Newer', on: 'Older' };

/** The same of a list whose pages have numbers. */
export function numberedPager({ page = '1', goesOn, hrefOf, names = LATEST_FIRST, ...list }: NumberedPager) {
  const shown = Number(page);
  const link = (to: number, name: string) => ({ href: hrefOf(to === 1 ? undefined : String(to)), name });
  return pager({
    ...list,
    back: shown > 1 && link(shown - 1, names.back),
    on: goesOn && link(shown + 1, names.on),
  });
}

/** Whether more of them follow the rows of a page. */
export const hasMore = (
  { rows, total }: { rows: readonly unknown[]; total: number },
  page: string | undefined,
  perPage: number,
): boolean => (Number(page ?? 1) - 1) * perPage + rows.length < total;
