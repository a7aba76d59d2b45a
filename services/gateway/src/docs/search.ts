import { type Page, pageAddress, type RenderedPage } from '@frontdesk/reference';
import MiniSearch from 'minisearch';

/** Longer questions are cut, which bounds the work of one. */
export const MAX_QUESTION = 100;
const MAX_TERMS = 8;
const MAX_FUZZY = 16;
/** Fields of the whole page: a word found in them leads to its beginning. */
const OF_PAGE = ['title', 'path'];
const MAX_RESULTS = 20;
const EXCERPT_BEFORE = 40;
const EXCERPT_LENGTH = 180;

/** A page as it is shown. */
export interface SearchedPage extends Pick<Page, 'path' | 'title' | 'summary'> {
  text: string;
  headings: RenderedPage['headings'];
}

/** A section of a page: the text before its first heading, or below one. */
interface Section {
  id: number;
  path: string;
  /** Of the page. */
  title: string;
  heading: string;
  anchor: string | null;
  text: string;
}

export interface Found {
  /** The path of the page, with the anchor of the section. */
  address: string;
  title: string;
  /** Of the section; empty for the beginning of a page. */
  heading: string;
  excerpt: string;
}

export type Search = (question: string) => Found[];

/** Searches all pages for sections with all words, else with some. A word matches by its beginning, or with a small mistake. */
export function createSearch(pages: readonly SearchedPage[], base: string): Search {
  const sections = pages.flatMap(sectionsOf);
  const byId = new Map(sections.map((section, id) => [id, { ...section, id }]));
  const index = new MiniSearch<Section>({
    fields: ['title', 'heading', 'path', 'text'],
    searchOptions: {
      boost: { title: 6, heading: 4, path: 2 },
      prefix: (term) => term.length > 1,
      // To allow mistakes in a long word costs the most.
      fuzzy: (term) => (term.length > 4 && term.length <= MAX_FUZZY ? 1 : false),
      tokenize: (text) => wordsOf(text).slice(0, MAX_TERMS),
    },
    tokenize: wordsOf,
    extractField: (section, field) =>
      section.anchor !== null && OF_PAGE.includes(field) ? '' : section[field as keyof Section],
  });
  index.addAll([...byId.values()]);

  return (question) => {
    const asked = question.slice(0, MAX_QUESTION);
    const strict = index.search(asked, { combineWith: 'AND' });
    const found = strict.length > 0 ? strict : index.search(asked, { combineWith: 'OR' });
    const seen = new Set<string>();
    const results: Found[] = [];
    for (const { id, terms } of found) {
      const section = byId.get(id);
      if (!section || seen.has(section.path)) continue;
      seen.add(section.path);
      const anchor = section.anchor === null ? '' : `#${section.anchor}`;
      results.push({
        address: `${pageAddress(base, section.path)}${anchor}`,
        title: section.title,
        heading: section.heading,
        excerpt: excerptOf(section.text, terms),
      });
      if (results.length === MAX_RESULTS) break;
    }
    return results;
  };
}

/** Names such as `slot_unavailable` and `call.ended` are found as a whole and by their parts. */
function wordsOf(text: string): string[] {
  const names = text.match(/[\p{L}\p{N}]+(?:[._][\p{L}\p{N}]+)+/gu) ?? [];
  return [...names, ...(text.match(/[\p{L}\p{N}]+/gu) ?? [])];
}

function sectionsOf({ path, title, summary, text: markdown, headings }: SearchedPage): Omit<Section, 'id'>[] {
  const [first = '', ...parts] = splitAtHeadings(markdown);
  // The title has a field of its own.
  const intro = plain(first.replace(/^# .+\n/, '')) || summary;
  return [
    { path, title, heading: '', anchor: null, text: intro },
    ...parts.map((part, index) => {
      const { id = null, text = '' } = headings[index] ?? {};
      return { path, title, heading: text, anchor: id, text: plain(part) };
    }),
  ];
}

/** The text before the first heading, then the text below each. A line of an example is no heading. */
function splitAtHeadings(markdown: string): string[] {
  const parts: string[][] = [[]];
  let isCode = false;
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    if (!isCode && line.startsWith('## ')) parts.push([]);
    else parts.at(-1)?.push(line);
  }
  return parts.map((lines) => lines.join('\n'));
}

/** The text of Markdown, without its markup. */
const plain = (markdown: string): string =>
  markdown
    .replaceAll(/^```.*$|^\|[ :|-]+\|$/gm, '')
    .replaceAll(/\[([^\]]*)\]\([^)\s]*\)/g, '$1')
    .replaceAll(/`|\*\*|^#+ |\\(?=[!-/:-@[-`{-~])/gm, '')
    .replaceAll('|', ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The text around the first of these words, from a word's beginning to a word's end. */
function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  const place = places.length > 0 ? Math.min(...places) : 0;
  const from = place > EXCERPT_BEFORE ? text.indexOf(' ', place - EXCERPT_BEFORE) + 1 : 0;
  const to = text.length > from + EXCERPT_LENGTH ? text.lastIndexOf(' ', from + EXCERPT_LENGTH) : text.length;
  return `${from > 0 ? '… ' : ''}${text.slice(from, Math.max(to, from))}${to < text.length ? ' …' : ''}`;
}
