import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Reader } from '../page.ts';
import { GUIDE_PARTS } from './guide-parts.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'guides');
const PART = /\{\{(\w+)\}\}/g;

/** The files of `guides/`, in the order of the navigation. */
const GUIDES = [
  'index',
  'first-request',
  'phone-agent',
  'requests',
  'lists',
  'appointments',
  'errors',
  'idempotency',
  'webhooks',
  'events',
  'listen',
  'calls',
  'limits',
] as const;

/** Pages that people have written. The title is their first line, the summary the paragraph after it. */
export const guidePages = (): Page[] => GUIDES.map(guidePage);

/** @throws Error for a file that is not a page, or names a part that there is not */
function guidePage(path: string): Page {
  const text = readFileSync(join(FOLDER, `${path}.md`), 'utf8').trimEnd();
  const [, title, summary] = /^# (.+)\n\n(.+)\n/.exec(text) ?? [];
  if (title === undefined || summary === undefined)
    throw new Error(`${path}.md begins with no title and summary.`);
  const parts = [...text.matchAll(PART)].map(([, name = '']) => name);
  const unknown = parts.find((name) => GUIDE_PARTS[name] === undefined);
  if (unknown !== undefined) throw new Error(`${path}.md names an unknown part: ${unknown}.`);
  return {
    path,
    title,
    summary,
    section: 'Guides',
    isPersonal: parts.some((name) => PERSONAL.has(name)),
    markdown: (reader: Reader) =>
      text.replaceAll(PART, (_match, name: string) => GUIDE_PARTS[name]?.(reader, path) ?? ''),
  };
}

/** Parts that differ from one business to the next. */
const PERSONAL = new Set(['keys', 'create_customer']);
