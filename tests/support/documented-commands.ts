import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The pages for operators, whose every command is run by a test. */
export const PAGES = ['docs/operations.md', 'docs/configuration.md'] as const;

const ROOT = join(import.meta.dirname, '..', '..');
const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm;
const HEADING = /^#+ (.+)$/gm;
const INLINE = /`([^`\n]+)`/g;

/** A block of commands under its heading. */
export interface DocumentedBlock {
  heading: string;
  commands: string;
  /** What the commands are for: the system of docker-compose.yml, or any. */
  isOfCompose: boolean;
}

/** @throws Error for a block in another language: nothing would run it. */
export async function documentedBlocks(page: (typeof PAGES)[number]): Promise<DocumentedBlock[]> {
  const text = await readFile(join(ROOT, page), 'utf8');
  const headings = [...text.matchAll(HEADING)];
  return [...text.matchAll(FENCE)].map(({ index, 1: language, 2: commands = '' }) => {
    const heading = headings.findLast((one) => one.index < index)?.[1] ?? page;
    if (language !== 'sh') throw new Error(`${page}: a block under "${heading}" is no sh.`);
    return { heading, commands, isOfCompose: commands.includes('docker compose') };
  });
}

/** The commands under a heading. */
export async function documentedUnder(page: (typeof PAGES)[number], heading: string): Promise<string> {
  const found = (await documentedBlocks(page)).filter((block) => block.heading === heading);
  if (found.length === 0) throw new Error(`${page} has no commands under "${heading}".`);
  return found.map(({ commands }) => commands).join('');
}

/** What a page names in its sentences and tables: `…`. */
export async function namedInline(page: (typeof PAGES)[number]): Promise<string[]> {
  const text = (await readFile(join(ROOT, page), 'utf8')).replace(FENCE, '');
  return [...text.matchAll(INLINE)].map(([, name = '']) => name);
}

/** Puts what there is for what a page has as an example. @throws Error where the page has an example no more */
export function withExamples(commands: string, examples: Readonly<Record<string, string>>): string {
  return Object.entries(examples).reduce((text, [example, real]) => {
    if (!text.includes(example)) throw new Error(`No command has the example "${example}" any more.`);
    return text.replaceAll(example, real);
  }, commands);
}
