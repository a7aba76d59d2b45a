import type { Tokens } from 'marked';
import { tokensOf } from './markdown.ts';

/** The pages for operators, whose every command is run by a test. */
export const PAGES = ['docs/operations.md', 'docs/configuration.md'] as const;

/** Nobody sees it on the page, and it holds no command. */
const COMMENT = /^<!--(?:(?!-->)[\s\S])*-->\s*$/;

/** A block of commands under its heading. */
export interface DocumentedBlock {
  heading: string;
  commands: string;
  /** What the commands are for: the system of docker-compose.yml, or any. */
  isOfCompose: boolean;
}

/** @throws Error for a block in another language, an indented one or HTML: nothing would run it. */
export function documentedBlocks(page: (typeof PAGES)[number]): DocumentedBlock[] {
  let heading: string = page;
  return tokensOf(page).flatMap((token) => {
    if (token.type === 'heading') heading = token.text;
    const isHtml = token.type === 'html' && !COMMENT.test(token.raw);
    if (isHtml || (token.type === 'code' && token.lang !== 'sh'))
      throw new Error(`${page}: a block under "${heading}" is no sh: ${token.raw}`);
    if (token.type !== 'code') return [];
    return [{ heading, commands: `${token.text}\n`, isOfCompose: token.text.includes('docker compose') }];
  });
}

/** The commands under a heading. */
export function documentedUnder(page: (typeof PAGES)[number], heading: string): string {
  const found = documentedBlocks(page).filter((block) => block.heading === heading);
  if (found.length === 0) throw new Error(`${page} has no commands under "${heading}".`);
  return found.map(({ commands }) => commands).join('');
}

/** What a page names in its sentences and tables: `…`. */
export const namedInline = (page: (typeof PAGES)[number]): string[] =>
  tokensOf(page).flatMap((token) => (token.type === 'codespan' ? [token.text as string] : []));

/** The verbs in each table whose first column lists those of one noun: `tenant …`. */
export const listedCommands = (page: (typeof PAGES)[number]): { noun: string; verbs: string[] }[] =>
  tokensOf(page).flatMap((token) => {
    const { header, rows } = token as Tokens.Table;
    const [, noun] = token.type === 'table' ? (/^`(\S+) …`$/.exec(header[0]?.text ?? '') ?? []) : [];
    if (!noun) return [];
    const verbs = rows.flatMap(([first]) => [...(first?.text ?? '').matchAll(/`([a-z-]+)[^`]*`/g)]);
    return [{ noun, verbs: verbs.map(([, verb = '']) => verb) }];
  });

/** Puts what there is for what a page has as an example. @throws Error where the page has an example no more */
export function withExamples(commands: string, examples: Readonly<Record<string, string>>): string {
  return Object.entries(examples).reduce((text, [example, real]) => {
    if (!text.includes(example)) throw new Error(`No command has the example "${example}" any more.`);
    return text.replaceAll(example, real);
  }, commands);
}
