import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from './repository.ts';

const FOLDERS = ['libs', 'scripts', 'sdk', 'services'];

const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(REPOSITORY, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.includes('node_modules'))
    .map((path) => `/${folder}/${path}`),
);
const isThere = (name: string) => files.some((path) => path.endsWith(`/${name}`));

it('docs/architecture.md names no file that is not there', () => {
  const page = readFileSync(join(REPOSITORY, 'docs', 'architecture.md'), 'utf8');
  const named = [...page.matchAll(/\w[\w/.-]*\.(?:ts|grit)\b/g)].map(([name]) => name);

  expect(named).toContain('domain/availability.ts');
  expect(named.filter((name) => !isThere(name))).toEqual([]);
});
