import { escapeHtml } from '@frontdesk/reference';
import { type Found, MAX_QUESTION } from './search.ts';

export interface Shown {
  title: string;
  summary: string;
  /** The address of the page as Markdown; null for a page that does not exist. */
  markdownUrl: string | null;
  navigation: string;
  html: string;
  /** What was searched for, on the page of results. */
  question?: string;
}

/** The address of the search. */
export const SEARCH = '/docs/search';

type AssetUrl = (name: string) => string;

const MARK =
  '<svg class="mark" viewBox="0 0 24 24" aria-hidden="true">' +
  '<path d="M3 18h18v2H3zM5 16a7 7 0 0 1 14 0zM11 5h2v3h-2zM9 4h6v2H9z"/></svg>';

const head = (asset: AssetUrl, title: string, more: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Frontdesk API</title>
<link rel="icon" href="${asset('favicon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${asset('look.css')}">
<link rel="stylesheet" href="${asset('frame.css')}">
${more}
</head>`;

/** Works without scripts; with them, the key / moves the focus into it. */
const searchForm = (question: string) => `<form class="search" role="search" action="${SEARCH}">
<label class="for-reader" for="search-q">Search the documentation</label>
<input id="search-q" name="q" type="search" maxlength="${MAX_QUESTION}" value="${escapeHtml(question)}"
placeholder="Search" autocomplete="off" data-search>
<button type="submit">Search</button>
</form>`;

/** @param question null where there is nothing to search */
const top = (current: 'pages' | 'console', question: string | null) => `<header class="top">
<p class="brand"><a href="/docs">${MARK} Frontdesk API</a></p>
<nav aria-label="Site"><ul>
<li><a href="/docs"${current === 'pages' ? ' aria-current="true"' : ''}>Documentation</a></li>
<li><a href="/docs/console"${current === 'console' ? ' aria-current="true"' : ''}>Console</a></li>
<li><a href="/openapi.json">OpenAPI</a></li></ul></nav>
${question === null ? '' : searchForm(question)}
</header>`;

/** The results of a search as HTML. */
export function searchResults(question: string, found: readonly Found[]): string {
  if (question === '') return '<p>Type a word: a field, an operation, an event, a code.</p>';
  const said =
    found.length === 0 ? 'Nothing was found' : `${found.length === 1 ? '1 page' : `${found.length} pages`}`;
  const items = found.map(
    ({ address, title, heading, excerpt }) => `<li><a href="${escapeHtml(address)}">${escapeHtml(
      heading === '' ? title : `${title}: ${heading}`,
    )}</a>
<p>${escapeHtml(excerpt)}</p></li>`,
  );
  const list = items.length > 0 ? `<ol class="results">${items.join('\n')}</ol>` : NOTHING_FOUND;
  return `<p role="status">${said} for “${escapeHtml(question)}”.</p>\n${list}`;
}

const NOTHING_FOUND =
  '<p>Try a shorter or another word. The <a href="/docs">start page</a> lists all guides, operations, records ' +
  'and events; <a href="/docs/errors">Errors</a> lists all codes.</p>';

/** A page of the documentation. It works without scripts; with them, examples can be copied by a button. */
export const docsPage = (asset: AssetUrl, shown: Shown): string => {
  const { title, summary, markdownUrl, navigation, html, question = '' } = shown;
  const more = `<meta name="description" content="${escapeHtml(summary)}">
${markdownUrl === null ? '' : `<link rel="alternate" type="text/markdown" href="${markdownUrl}">`}
<link rel="stylesheet" href="${asset('docs.css')}">
<link rel="stylesheet" href="${asset('docs-parts.css')}">
<script src="${asset('docs.js')}" type="module"></script>`;
  const markdownLink = `<p class="markdown-link"><a href="${markdownUrl}">This page as Markdown</a></p>`;
  return `${head(asset, title, more)}
<body>
<a class="skip" href="#main">Skip to content</a>
${top('pages', question)}
<div class="docs">
${navigation}
<main id="main" tabindex="-1">
<h1>${escapeHtml(title)}</h1>
${html}
${markdownUrl === null ? '' : markdownLink}
</main>
</div>
</body>
</html>
`;
};

/** The page of the console, which scripts fill. */
export const consolePage = (asset: AssetUrl, consoleUrl: string): string => `${head(asset, 'Console', '')}
<body>
${top('console', null)}
<noscript><p class="notice waiting">The console needs JavaScript.
The <a href="/docs">documentation</a> works without it.</p></noscript>
<main id="console"></main>
<script src="${consoleUrl}"></script>
<script src="${asset('console.js')}"></script>
</body>
</html>
`;
