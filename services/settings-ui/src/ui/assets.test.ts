import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { loadAssets } from './assets.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'public');
const assets = loadAssets();
const textOf = (name: string) => assets.find(basename(assets.url(name)))?.content.toString() ?? '';

it('all styles that there are come as one answer, and all scripts as another', () => {
  const entries = readdirSync(FOLDER, { recursive: true, withFileTypes: true });
  for (const { parentPath, name } of entries.filter((entry) => entry.isFile())) {
    const text = readFileSync(join(parentPath, name), 'utf8');
    const bringing = { '.css': 'styles.css', '.js': 'scripts.js' }[extname(name)] ?? name;
    expect(textOf(bringing)).toContain(text);
  }
});
