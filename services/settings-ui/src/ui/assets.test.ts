import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { loadAssets, withoutComments } from './assets.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'public');
const assets = loadAssets();
const textOf = (name: string) => assets.find(basename(assets.url(name)))?.content.toString() ?? '';

const entriesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());

it('all styles that there are come as one answer, and all scripts as another', () => {
  for (const { parentPath, name } of entriesOf(FOLDER)) {
    const text = readFileSync(join(parentPath, name), 'utf8');
    const bringing = { '.css': 'styles.css', '.js': 'scripts.js' }[extname(name)] ?? name;
    expect(textOf(bringing)).toContain(name.endsWith('.svg') ? text : withoutComments(text));
  }
});

it('without their comments, files say what they said', () => {
  // Texts in quotes stay, whatever stands in them.
  const rest = (text: string) =>
    text
      .replace(/(["'`])(?:\\.|(?!\1)[^\\])*\1|\/\*.*?\*\/|\/\/[^\n]*/gs, (part, quote) => (quote ? part : ''))
      .replace(/\s+/g, ' ')
      .trim();
  for (const { parentPath, name } of entriesOf(FOLDER)) {
    const text = readFileSync(join(parentPath, name), 'utf8');
    if (!name.endsWith('.svg')) expect(rest(withoutComments(text))).toBe(rest(text));
  }
});
