import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { loadAssets } from './assets.ts';

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'public');
const assets = loadAssets();
const textOf = (name: string) => assets.find(basename(assets.url(name)))?.content.toString() ?? '';

it('all styles that there are come as one answer, and all scripts as another', () => {
  for (const file of readdirSync(FOLDER)) {
    const text = readFileSync(join(FOLDER, file), 'utf8');
    const bringing = { '.css': 'styles.css', '.js': 'scripts.js' }[extname(file)] ?? file;
    expect(textOf(bringing)).toContain(text);
  }
});
