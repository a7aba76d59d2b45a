import { Marked, type RendererObject, type Token } from 'marked';
import { htmlAddress } from './links.ts';
import { UNFINISHED } from './markdown.ts';

export interface RenderedPage {
  /** Without its title. */
  html: string;
  /** Its sections, in order. */
  headings: readonly { id: string; text: string }[];
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');

const idOf = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_]+/gu, '-')
    .replaceAll(/^-|-$/g, '');

/** What is written between brackets is marked: it is to be put in. */
const marked = (text: string) =>
  text
    .split(/(<[a-z ]+>)/)
    .map((part) => (part.startsWith('<') ? `<mark>${escapeHtml(part)}</mark>` : escapeHtml(part)))
    .join('');

/** A page's Markdown as HTML. Markup in it is shown as text. */
export function renderHtml(markdown: string, place: { path: string; base: string }): RenderedPage {
  const headings: { id: string; text: string }[] = [];
  const renderer = new Marked<string, string>({ renderer: rendererOf(place, headings) });
  const tokens = renderer.lexer(markdown).filter((token) => !isTitle(token));
  return { html: renderer.parser(tokens), headings };
}

const isTitle = (token: Token) => token.type === 'heading' && token.depth === 1;

/** Ids of headings; a repeated one gets a number, as on GitHub. */
function createIds(): (text: string) => string {
  const uses = new Map<string, number>();
  return (text) => {
    const id = idOf(text);
    const before = uses.get(id) ?? 0;
    uses.set(id, before + 1);
    return before === 0 ? id : `${id}-${before}`;
  };
}

/** @param headings gets the page's sections */
const rendererOf = (
  place: { path: string; base: string },
  headings: { id: string; text: string }[],
  nextId = createIds(),
): RendererObject<string, string> => ({
  html: ({ text }) => escapeHtml(text),
  image: ({ text }) => escapeHtml(text),
  heading({ tokens, depth, text }) {
    const id = nextId(text);
    if (depth === 2) headings.push({ id, text: text.replaceAll('`', '') });
    return `<h${depth} id="${id}"><a href="#${id}">${this.parser.parseInline(tokens)}</a></h${depth}>\n`;
  },
  link({ href, tokens }) {
    return `<a href="${escapeHtml(htmlAddress(href, place))}">${this.parser.parseInline(tokens)}</a>`;
  },
  blockquote({ tokens }) {
    return `<div class="notice waiting">${this.parser.parse(tokens)}</div>\n`;
  },
  code({ text, lang = '' }) {
    const [, ...words] = lang.split(' ');
    const isUnfinished = words[0] === UNFINISHED;
    const label = escapeHtml(words.slice(isUnfinished ? 1 : 0).join(' ') || 'the example');
    const shown = isUnfinished ? marked(text) : escapeHtml(text);
    const reader = `<span class="for-reader"> ${label}</span>`;
    const button = `<button type="button" class="quiet" data-copy="${escapeHtml(text)}" hidden>Copy${reader}</button>`;
    const after = isUnfinished ? '' : `\n${button}`;
    const example = `<pre tabindex="0" role="group" aria-label="${label}"><code>${shown}</code></pre>`;
    return `<div class="snippet">${example}${after}</div>\n`;
  },
  table({ header, rows }) {
    const inline = (tokens: Token[]) => this.parser.parseInline(tokens);
    const names = header.map(({ tokens, text }) => ({
      shown: inline(tokens),
      label: text.replaceAll('`', ''),
    }));
    const head = names.map(({ shown }) => (shown === '' ? '<td></td>' : `<th scope="col">${shown}</th>`));
    const body = rows.map((cells) => cells.map(({ tokens }, index) => cellOf(inline(tokens), index, names)));
    return `<table class="list"><thead><tr>${head.join('')}</tr></thead>
<tbody>${body.map((cells) => `<tr>${cells.join('\n')}</tr>`).join('\n')}</tbody></table>\n`;
  },
});

/** Where it is narrow, a cell says by itself what it is. The first one names its row. */
function cellOf(shown: string, index: number, names: readonly { label: string }[]): string {
  const label = names[index]?.label ?? '';
  const attributes = label === '' ? '' : ` data-label="${escapeHtml(label)}"`;
  return index === 0
    ? `<th scope="row"${attributes}><span>${shown}</span></th>`
    : `<td${attributes}><span>${shown}</span></td>`;
}
