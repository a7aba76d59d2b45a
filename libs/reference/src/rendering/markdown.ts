/** Text of somebody else's as it is: nothing in it is markup. */
export const escapeMarkdown = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').replaceAll(/[!-/:-@[-`{-~]/g, '\\$&');

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const row = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

/** Lines to be copied. `label`: what they are, for people who don't see where they stand. */
export const codeBlock = (language: string, label: string, text: string): string =>
  `\`\`\`${language} ${label}\n${text}\n\`\`\``;

/** What can't be copied as it is: what to put in stands in angle brackets. */
export const UNFINISHED = 'unfinished';

export const json = (label: string, value: unknown): string =>
  codeBlock('json', label, JSON.stringify(value, null, 2));
export const code = (text: string): string => `\`${text}\``;
export const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');

/** Paragraphs, without those that are missing. */
export const paragraphs = (...parts: readonly (string | false | undefined | null)[]): string =>
  parts.filter((part) => typeof part === 'string' && part !== '').join('\n\n');

export const capitalised = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
