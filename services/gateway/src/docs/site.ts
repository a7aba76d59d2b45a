import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { type Operation, openApiDocument } from '@frontdesk/contracts';
import {
  createPages,
  LOOK_FILE,
  llmsText,
  navigationOf,
  pageAddress,
  type Reader,
  renderHtml,
  SHOWN_RECORDS,
} from '@frontdesk/reference';
import { consolePage, docsPage, searchResults } from './layout.ts';
import { createSearch, MAX_QUESTION, type SearchedPage } from './search.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'public');
const BASE = '/docs';
export const CONSOLE_SCRIPT = `${BASE}/assets/scalar.js`;
const HASH_CHARACTERS = 12;

const HTML = 'text/html; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';
const ASSET_TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** A file that every client gets as it is. */
export interface StaticFile {
  content: Buffer;
  type: string;
  etag: string;
  /** Its address holds a hash of its content. */
  isForEver: boolean;
  /** The Content-Security-Policy of a page; null for another file. */
  policy: string | null;
}

export interface Site {
  /** By path. */
  files: ReadonlyMap<string, StaticFile>;
  /** Pages as Markdown, by the path of the page. */
  markdown: ReadonlyMap<string, StaticFile>;
  /** Other addresses of pages, and where each leads. */
  moved: ReadonlyMap<string, string>;
  /** The answers to an unknown path below the documentation. */
  missing: { html: StaticFile; markdown: StaticFile };
  /** The page of results. */
  search(question: string): { content: Buffer; type: string; policy: string };
}

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
/** The console sets styles by its script, and sends requests to this gateway alone. */
const CONSOLE_POLICY = POLICY.replace("form-action 'self'", "form-action 'none'")
  .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
  .replace("img-src 'self'", "img-src 'self' data:")
  .concat("; connect-src 'self'");

function fileOf(type: string, text: string | Buffer, more: Partial<StaticFile> = {}): StaticFile {
  const content = Buffer.from(text);
  // Weak: the same page may come in several encodings.
  const etag = `W/"${hash('sha256', content, 'hex').slice(0, HASH_CHARACTERS)}"`;
  return { content, type, etag, isForEver: false, policy: null, ...more };
}

/** Makes all files of the documentation, once. `url`: the gateway as integrators reach it. */
export function createSite(url: string, operations: readonly Operation[]): Site {
  const files = new Map<string, StaticFile>();
  const markdown = new Map<string, StaticFile>();
  const asset = addAssets(files);
  const reader: Reader = { url, records: SHOWN_RECORDS, settings: null };
  const pages = createPages();
  const searched: SearchedPage[] = [];
  const htmlOf = (page: { path: string | null; title: string; summary: string }, text: string) => {
    const { html, headings } = renderHtml(text, { path: page.path ?? '', base: BASE });
    if (page.path !== null) searched.push({ ...page, path: page.path, text, headings });
    const navigation = navigationOf(pages, { path: page.path, headings, base: BASE });
    const markdownUrl = page.path === null ? null : `${BASE}/${page.path}.md`;
    return fileOf(HTML, docsPage(asset, { ...page, markdownUrl, navigation, html }), { policy: POLICY });
  };

  for (const page of pages) {
    const text = `${page.markdown(reader)}\n`;
    const markdownFile = fileOf(MARKDOWN, text);
    files.set(pageAddress(BASE, page.path), htmlOf(page, text));
    files.set(`${BASE}/${page.path}.md`, markdownFile);
    markdown.set(pageAddress(BASE, page.path), markdownFile);
  }
  files.set(`${BASE}/console`, fileOf(HTML, consolePage(asset, CONSOLE_SCRIPT), { policy: CONSOLE_POLICY }));
  files.set('/llms.txt', fileOf('text/plain; charset=utf-8', llmsText(pages, reader)));
  files.set(
    '/openapi.json',
    fileOf('application/json; charset=utf-8', JSON.stringify(openApiDocument(operations))),
  );
  const nowhere = { path: null, title: 'Not found', summary: 'There is no such page.' };
  const missing = { html: htmlOf(nowhere, NOWHERE), markdown: fileOf(MARKDOWN, `# Not found\n\n${NOWHERE}`) };
  const search = createSearch(searched, BASE);
  const navigation = navigationOf(pages, { path: null, headings: [], base: BASE });
  return {
    files,
    markdown,
    moved: MOVED,
    missing,
    search: (given) => {
      const question = given.slice(0, MAX_QUESTION).trim();
      const html = searchResults(question, search(question));
      const shown = {
        title: 'Search',
        summary: 'What the documentation says about a word.',
        navigation,
        html,
      };
      const page = docsPage(asset, { ...shown, markdownUrl: null, question });
      return { content: Buffer.from(page), type: HTML, policy: POLICY };
    },
  };
}

/**
 * The start page has the address of the documentation itself. Its Markdown lies one level below, so that its relative
 * links lead to the other pages.
 */
const MOVED = new Map([
  [`${BASE}/index`, BASE],
  [`${BASE}.md`, `${BASE}/index.md`],
]);

const NOWHERE = `There is no page at this address. Perhaps it was moved or mistyped.

- The [start page](/docs) lists all guides, operations, records and events.
- [Errors](/docs/errors) lists all codes.
- [llms.txt](/llms.txt) lists every page.
`;

/** Adds the files of `public/`, and the common look. @returns the address of a file, which holds a hash of its content */
function addAssets(files: Map<string, StaticFile>): (name: string) => string {
  const urls = new Map<string, string>();
  for (const file of [LOOK_FILE, ...readdirSync(FOLDER).map((name) => join(FOLDER, name))]) {
    const name = basename(file);
    const extension = extname(name);
    const content = readFileSync(file);
    const contentHash = hash('sha256', content, 'hex').slice(0, HASH_CHARACTERS);
    const url = `${BASE}/assets/${name.slice(0, -extension.length)}.${contentHash}${extension}`;
    files.set(url, fileOf(ASSET_TYPES[extension] ?? '', content, { isForEver: true }));
    urls.set(name, url);
  }
  return (name) => {
    const url = urls.get(name);
    if (url === undefined) throw new Error(`There is no asset ${name}.`);
    return url;
  };
}
