import { ingestPath } from '@frontdesk/contracts';

/** What all addresses of sources begin with. */
export const INGEST_PREFIX = '/ingest';

const TOKEN = /^[A-Za-z0-9]{16,128}$/;
const BEFORE_TOKEN = ingestPath('');

/** Whether the opaque part of an address has the form of one that a source may have. */
export const isSourceToken = (text: string): boolean => TOKEN.test(text);

/** A step of a path that is safe to log: a word of the API, or an id. */
const PLAIN_STEP = /^(?:[a-z][a-z0-9_-]{0,23}|\d{1,9})$/;
const STEP = /[^/]+/g;

/** A path that is safe to log: without the token of a source, and without a key or number that a client put into it. */
export function loggedPath(path: string): string {
  const [known, rest] = path.startsWith(BEFORE_TOKEN)
    ? [BEFORE_TOKEN, path.slice(BEFORE_TOKEN.length).replace(/^[^/]+/, '…')]
    : ['', path];
  return known + rest.replace(STEP, (step) => (PLAIN_STEP.test(step) ? step : '…'));
}
