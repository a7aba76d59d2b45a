import { ingestPath } from '@frontdesk/contracts';
import { pathOf } from './request-target.ts';

/** What all addresses of sources begin with. */
export const INGEST_PREFIX = '/ingest';

const TOKEN = /^[A-Za-z0-9]{16,128}$/;
const SOURCE_PATH = new RegExp(`^${ingestPath('[^/]+')}$`);
const BEFORE_TOKEN = ingestPath('');

/** Whether the opaque part of an address has the form of one that a source may have. */
export const isSourceToken = (text: string): boolean => TOKEN.test(text);

/** Whether a request target is a source's address, good or bad. */
export const isSourcePath = (target: string): boolean => SOURCE_PATH.test(pathOf(target));

/** A path as logs may hold it: without the address of a source. */
export function loggedPath(target: string): string {
  const path = pathOf(target);
  if (!path.startsWith(BEFORE_TOKEN)) return path;
  return BEFORE_TOKEN + path.slice(BEFORE_TOKEN.length).replace(/^[^/]+/, '…');
}
