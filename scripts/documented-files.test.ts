import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { REPOSITORY } from './repository.ts';

const SOURCES = ['deploy', 'libs', 'scripts', 'sdk', 'services', 'tests', 'bench'];
const INSTALLED = '**/node_modules/**';

const find = (pattern: string) => globSync(pattern, { cwd: REPOSITORY, exclude: [INSTALLED] });
const files = SOURCES.flatMap((folder) => find(`${folder}/**/*.{ts,js,grit}`)).map((path) => `/${path}`);
const pages = [...find('*.md'), ...find('docs/**/*.md'), ...find('services/*/README.md')];

/** Files that a page names, as it writes them: by the whole path, or by its end. */
const namedIn = (page: string) => {
  const text = readFileSync(join(REPOSITORY, page), 'utf8');
  return [...text.matchAll(/(?<![\w.>…-])[\w@][\w/.-]*\.(?:ts|grit)\b/g)].map(([name]) => name);
};

it('the pages name no file that is not there', () => {
  const missing = pages.flatMap((page) =>
    namedIn(page)
      .filter((name) => !files.some((path) => path.endsWith(`/${name}`)))
      .map((name) => `${page}: ${name}`),
  );

  expect(namedIn('docs/architecture.md')).toContain('availability/availability.rules.ts');
  expect(missing).toEqual([]);
});

it('a file that a page names by its whole path is at that path', () => {
  const missing = pages.flatMap((page) =>
    namedIn(page)
      .filter((name) => SOURCES.includes(name.split('/')[0] ?? '') && !files.includes(`/${name}`))
      .map((name) => `${page}: ${name}`),
  );

  expect(missing).toEqual([]);
});

it('the pages show every picture of docs/images, and no other', () => {
  const shown = pages.flatMap((page) =>
    [...readFileSync(join(REPOSITORY, page), 'utf8').matchAll(/[\w/.-]+[.]png\b/g)].map(([path]) =>
      relative(REPOSITORY, join(REPOSITORY, page, '..', path)),
    ),
  );

  expect(shown.length).toBeGreaterThan(0);
  expect([...new Set(shown)].toSorted()).toEqual(find('docs/images/*').toSorted());
});
