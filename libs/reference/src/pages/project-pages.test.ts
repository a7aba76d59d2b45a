import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SHOWN_RECORDS } from '../examples/example-command.ts';
import { renderHtml } from '../rendering/render-html.ts';
import { PROJECT_DOCUMENTS, projectPages } from './project-pages.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const reader = { url: 'https://frontdesk.example.com', records: SHOWN_RECORDS, settings: null };
const pages = projectPages();
const textOf = (path: string) => pages.find((page) => page.path === path)?.markdown(reader) ?? '';

it('has a title and one sentence of plain text', () => {
  expect(pages.map(({ path, title }) => [path, title])).toEqual([
    ['compatibility', 'What integrators can rely on'],
    ['changelog', 'Changelog'],
  ]);
  for (const { summary } of pages) expect(summary).toMatch(/^[A-Z][^[\]\n]+\.$/);
});

it('links to pages, and names files that are none', () => {
  expect(textOf('compatibility')).toContain('[changelog](changelog.md)');
  expect(textOf('compatibility')).toContain('[webhooks](webhooks.md)');
  expect(textOf('changelog')).toContain('[docs/compatibility.md](compatibility.md)');
  expect(textOf('changelog')).toContain('[the guide](listen.md)');
  for (const { path } of pages) expect(textOf(path)).not.toMatch(/\]\((?:\.\.|docs|libs|sdk)\//);
});

it('has the sections of every release, each with an address of its own', () => {
  const { html, headings } = renderHtml(textOf('changelog'), { path: 'changelog', base: '/docs' });
  expect(headings.map(({ text }) => text)).toEqual(
    expect.arrayContaining(['Unreleased', '0.1.0 - 2026-11-23']),
  );
  const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining(['added', 'added-1']));
});

it('images bring the files', () => {
  const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n');
  const copied = [...readFileSync(join(ROOT, 'Dockerfile'), 'utf8').matchAll(/^COPY (\S+\.md) (\S+)$/gm)];
  for (const { file } of PROJECT_DOCUMENTS) {
    expect(ignored).toContain(`!${file}`);
    const [, , to = ''] = copied.find(([, from]) => from === file) ?? [];
    expect(join('/app', to, file.split('/').at(-1) ?? '')).toBe(join('/app', file));
  }
});
