import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Page } from '../page.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');

/**
 * Documents of the project that integrators read too, with the path of their page. An image has to bring these files.
 */
export const PROJECT_DOCUMENTS = [
  { file: 'docs/compatibility.md', path: 'compatibility' },
  { file: 'CHANGELOG.md', path: 'changelog' },
] as const;

/** Pages that are documents of the project, among the guides. */
export const projectPages = (): Page[] =>
  PROJECT_DOCUMENTS.map(({ file, path }) => {
    const text = readFileSync(join(ROOT, file), 'utf8').trimEnd();
    const [, title, intro] = /^# (.+)\n\n([\s\S]+?)\n\n/.exec(text) ?? [];
    if (title === undefined || intro === undefined)
      throw new Error(`${file} begins with no title and summary.`);
    // The first sentence, as plain text.
    const [summary = ''] = /^.+?\.(?= |$)/.exec(unlinked(intro.replaceAll(/\s*\n\s*/g, ' '))) ?? [];
    const shown = withPageLinks(text, posix.dirname(file));
    return { path, section: 'Guides', title, summary, isPersonal: false, markdown: () => shown };
  });

const LINK = /\[([^\]]+)\]\(([^)\s]+)\)/g;
const unlinked = (text: string) => text.replaceAll(LINK, '$1');

/** Links to what is a page lead there; those to other files of the project become their text. */
const withPageLinks = (text: string, folder: string): string =>
  text.replaceAll(LINK, (link, label: string, href: string) => {
    if (/^(?:[a-z]+:|#|\/)/.test(href)) return link;
    const [target = '', anchor] = href.split('#');
    const page = pageOf(posix.join(folder, target));
    return page === undefined ? label : `[${label}](${page}.md${anchor === undefined ? '' : `#${anchor}`})`;
  });

const pageOf = (file: string): string | undefined =>
  PROJECT_DOCUMENTS.find((document) => document.file === file)?.path ??
  /^libs\/reference\/guides\/([\w-]+)\.md$/.exec(file)?.[1];
