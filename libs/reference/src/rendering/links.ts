import { posix } from 'node:path';
import { type Reader, START } from '../page.ts';

const OTHER = /^(?:[a-z]+:|\/|#)/i;

/** The address of one page in the Markdown of another. */
export const pageLink = (from: string, to: string): string => posix.relative(posix.dirname(from), `${to}.md`);

/** A page of the settings in Markdown: a link for those who may open it, else its text. */
export const settingsLink = ({ settings }: Reader, text: string, address: string): string =>
  settings?.mayOpen(address) ? `[${text}](${address})` : text;

/** A link of a page's Markdown as it stands in HTML beneath `base`; links to elsewhere stay as they are. */
export function htmlAddress(href: string, { path, base }: { path: string; base: string }): string {
  if (OTHER.test(href)) return href;
  const [target = '', anchor] = href.split('#');
  const page = posix.join(posix.dirname(path), target).replace(/\.md$/, '');
  return `${pageAddress(base, page)}${anchor === undefined ? '' : `#${anchor}`}`;
}

export const pageAddress = (base: string, path: string): string =>
  path === START ? base : `${base}/${path}`;
